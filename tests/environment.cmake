# What CTest reads before it runs anything: no test uses the profile of the machine that it runs on.
set(ENV{STARPATH_PROFILE} none)

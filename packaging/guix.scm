;; The plug-in as a package of Guix, from the clone that holds this file, with the StarPU of the channel guix-hpc:
;;   guix package -f packaging/guix.scm
(use-modules (gnu packages)
             (guix build-system cmake)
             (guix gexp)
             (guix git-download)
             ((guix licenses) #:prefix license:)
             (guix packages)
             (guix utils))

(define tree
  (dirname (current-source-directory)))

(package
  (name "starpath-sched")
  (version "0.2.0")
  (source (local-file tree "starpath-checkout"
                      #:recursive? #t
                      #:select? (git-predicate tree)))
  (build-system cmake-build-system)
  (arguments
   (list #:tests? #f
         #:configure-flags
         #~(list "-DSTARPATH_COMPONENTS=sched"
                 (string-append "-DSTARPATH_STARPU_PKGCONFIG="
                                #$(this-package-input "starpu") "/lib/pkgconfig")
                 "-DSTARPATH_TESTS=OFF"
                 "-DSTARPATH_BENCH=OFF"
                 "-DSTARPATH_UNITY=ON")))
  (native-inputs (list (specification->package "pkg-config")))
  (inputs (cons (list (specification->package "hwloc") "lib")
                (map specification->package
                     '("boost" "fmt" "nlohmann-json" "sqlite" "starpu"))))
  (home-page "https://starpu.gitlabpages.inria.fr/")
  (synopsis "Scheduling policies for StarPU programs")
  (description
   "This plug-in holds scheduling policies that every StarPU 1.4 program can
choose, and an estimator of the times of its tasks.")
  (license license:asl2.0))

#!/usr/bin/env bash
# What `starpath describe` prints offers what the help lists: completions by running them in a clean shell, the manual page
# by its text as man shows it.
# usage: describe_test.sh PROGRAM bash|zsh|man
set -euo pipefail
program=$1 format=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAIL: %s\n' "$*"; exit 1; }
skip() { printf 'skipped: %s\n' "$*"; exit 77; }

# listed_commands COMMAND...: the subcommands that its help lists.
listed_commands() {
  "$program" "$@" --help | awk '/^Subcommands:/ { inside = 1; next } /^[^ ]/ { inside = 0 } inside && /^  [a-z]/ { print $1 }'
}
# listed_options COMMAND...: the options that its help lists, short ones too.
listed_options() { "$program" "$@" --help | grep -oP '^  (-\S+)(?= |$)' | tr -d ' ' | tr , '\n' | grep '^-'; }

commands=("")
for command in $(listed_commands); do
  commands+=("$command")
  for below in $(listed_commands "$command"); do commands+=("$command $below"); done
done
((${#commands[@]} > 20)) || fail "the help lists ${#commands[@]} commands only"
"$program" describe "$format" >"$scratch/$format"

# same WHAT LISTED OFFERED
same() { diff <(sort -u <<<"$2") <(sort -u <<<"$3") >"$scratch/diff" || { cat "$scratch/diff"; fail "$1 differ"; }; }

# in_bash WORD...: what bash offers for the last of the words behind `starpath`.
in_bash() {
  # shellcheck disable=SC2016 # for that shell to expand
  env -i bash --norc --noprofile -c 'source "$1"; shift
    COMP_WORDS=(starpath "$@") COMP_CWORD=$#
    _starpath
    printf "%s\n" "${COMPREPLY[@]}"' - "$scratch/bash" "$@"
}
check_bash() {
  bash -n "$scratch/bash"
  if command -v shellcheck >/dev/null; then shellcheck --shell=bash "$scratch/bash" || fail "shellcheck"; fi
  local command listed
  for command in "${commands[@]}"; do
    # shellcheck disable=SC2086 # words of a command
    same "options of '$command'" "$(listed_options $command)" "$(in_bash $command -)"
    # shellcheck disable=SC2086
    listed=$(listed_commands $command)
    # shellcheck disable=SC2086
    [[ -z $listed ]] || same "commands of '$command'" "$listed" "$(in_bash $command '')"
  done
  [[ $(in_bash env --shell '') == $'sh\nfish\ncsh' ]] || fail "values of env --shell"
  [[ $(in_bash env --shell = f) == fish ]] || fail "a value behind ="
  [[ $(in_bash segment s.svs --export csv,ov) == $'csv,overlay\ncsv,overlay.tif' ]] || fail "the second of several values"
  [[ $(in_bash compare s) == segment ]] || fail "the first argument"
  [[ -z $(in_bash segment s) ]] || fail "files are bash's to offer"
}

# in_zsh LINE: what zsh shows when Tab is pressed behind LINE.
in_zsh() {
  zsh -f "$scratch/tab.zsh" "$scratch" "$1"
}
check_zsh() {
  command -v zsh >/dev/null || skip "no zsh"
  mkdir "$scratch/functions"
  cp "$scratch/zsh" "$scratch/functions/_starpath"
  # It waits for the last line of the list: with keys to read, zsh would not show the list.
  cat >"$scratch/tab.zsh" <<'ZSH'
zmodload zsh/zpty
zpty shell env -i PATH=$PATH TERM=dumb zsh -f -i
zpty -w shell "fpath=($1/functions \$fpath); autoload -U compinit; compinit -D -u"
zpty -w shell "zstyle ':completion:*' list-grouped false; LISTMAX=0 COLUMNS=400 LINES=900 PS1=; echo rea''dy"
zpty -r shell text $'*ready\r\n*'
zpty -w -n shell "$2"$'\t'
text=''
for ((try = 0; try < 100; try++)); do
  sleep 0.1
  while zpty -rt shell chunk; do text+=$chunk; done
  [[ $text != *$'\n-h '* ]] || break
done
print -r -- $text
ZSH
  local command listed text option
  for command in "${commands[@]}"; do
    # shellcheck disable=SC2086
    listed=$(listed_options $command)
    [[ $listed != $'-h\n--help' ]] || continue # zsh types the only one
    text=$(in_zsh "starpath ${command:+$command }-")
    for option in $listed; do
      [[ $text =~ (^|[[:space:]])"$option"([[:space:]=]|$) ]] || fail "zsh does not offer $option of '$command': $text"
    done
  done
}

check_man() {
  local page=$scratch/man command option text lint
  text=$(groff -man -Tutf8 -ww -rLL=200n "$page" 2>"$scratch/warnings" | sed 's/\x1b\[[0-9;]*m//g; s/.\x08//g') || skip "no groff"
  [[ ! -s $scratch/warnings ]] || { cat "$scratch/warnings"; fail "groff warns"; }
  if command -v mandoc >/dev/null; then lint=$(mandoc -T lint -W warning "$page" | grep -v 'missing date') || true; fi
  [[ -z ${lint:-} ]] || fail "mandoc's lint: $lint"
  for command in "${commands[@]}"; do
    # shellcheck disable=SC2086
    for option in $(listed_options $command); do
      grep -qE -- "(^|[ ,])$option([ ,:=]|\$)" <<<"$text" || fail "the page lacks $option of '$command'"
    done
    grep -qF -- "starpath ${command:-COMMAND}" <<<"$text" || fail "the page lacks the command '$command'"
  done
}

"check_$format"
echo "PASS describe $format"

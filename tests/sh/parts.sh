# Functions that run the parts of a test script one after the other and print a summary with times. To be sourced.

summary=()
failed=0
left_out=0
begin=$SECONDS

# minutes SECONDS: as minutes and seconds.
minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# part NAME PATTERN COMMAND…: runs a part, keeps its output in $logs/NAME.log, and adds a line to the summary, followed
# by the last lines of the output that match the pattern: the result as the test runner prints it.
part() {
  local name=$1 pattern=$2 start=$SECONDS result line
  echo "== $name"
  "${@:3}" 2>&1 | tee "$logs/$name.log"
  if ((PIPESTATUS[0] == 0)); then
    result=passed
  else
    result=FAILED
    failed=1
  fi
  summary+=("$(printf '%s  %6s  %s' "$result" "$(minutes $((SECONDS - start)))" "$name")")
  while IFS= read -r line; do
    summary+=("                $line")
  done < <(grep -aE "$pattern" "$logs/$name.log" | tail -n 3)
}

# not_run NAME HOW: adds a line about something that was left out and the command that runs it.
not_run() {
  left_out=1
  summary+=("not run          $1: $2")
}

# finish: prints the summary, keeps it in $logs/summary.txt, and exits with 1 if a part failed.
finish() {
  summary+=("$(printf '%s  %6s  in all (minutes:seconds)' "$( ((failed)) && echo FAILED || echo passed)" "$(minutes $((SECONDS - begin)))")")
  echo
  printf '%s\n' "${summary[@]}" | tee "$logs/summary.txt"
  exit "$failed"
}

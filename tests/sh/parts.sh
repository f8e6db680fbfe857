# Functions that run the parts of a test script and print a summary with times. To be sourced.

summary=()
failed=0
left_out=0
begin=$SECONDS

# minutes SECONDS: as minutes and seconds.
minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# children_cpu: sets $cpu to the CPU seconds of all children of this shell that have ended.
children_cpu() {
  times >"$logs/times"
  # The last line has the time of the user and of the system, such as 1m2.345s 0m1.5s.
  cpu=$(tail -n 1 "$logs/times" | awk -F '[ms ]+' '{ printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4 }')
}

# add NAME PATTERN CODE SECONDS CPU: adds a part to the summary, and the last lines of its output that match the pattern:
# the result as the test runner prints it. Without such a line, a part that failed shows how its output ends. $logs/cpu.txt
# gets the CPU seconds.
add() {
  local name=$1 line result=passed
  if (($3 != 0)); then
    result=FAILED
    failed=1
  fi
  summary+=("$(printf '%s  %6s  %5s s of CPU  %s' "$result" "$(minutes "$4")" "$5" "$name")")
  echo "$5 $name" >>"$logs/cpu.txt"
  while IFS= read -r line; do
    summary+=("                $line")
  done < <(grep -aE "$2" "$logs/$name.log" | tail -n 3 | grep . || (($3 == 0)) || tail -n 5 "$logs/$name.log")
}

# part NAME PATTERN COMMAND…: runs a part and keeps its output in $logs/NAME.log.
part() {
  local start=$SECONDS code cpu before
  echo "== $1"
  children_cpu
  before=$cpu
  "${@:3}" 2>&1 | tee "$logs/$1.log"
  code=${PIPESTATUS[0]}
  children_cpu
  add "$1" "$2" "$code" $((SECONDS - start)) $((cpu - before))
}

# background NAME COMMAND…: starts a part in the background. Its output is shown by `collect NAME PATTERN`.
background() {
  rm -f "$logs/$1.result"
  (
    start=$SECONDS part_logs=$logs
    "${@:2}" >"$logs/$1.log" 2>&1
    code=$?
    logs=$(mktemp -d)
    children_cpu
    echo "$code $((SECONDS - start)) $cpu" >"$part_logs/$1.result"
    rm -r "$logs"
  ) &
  echo $! >"$logs/$1.pid"
}

# collect NAME PATTERN: waits for a part in the background.
collect() {
  local code=1 seconds=0 cpu=0
  wait "$(cat "$logs/$1.pid")"
  echo "== $1, in the background"
  cat "$logs/$1.log"
  read -r code seconds cpu <"$logs/$1.result"
  add "$1" "$2" "$code" "$seconds" "$cpu"
}

# not_run NAME HOW: adds a line about something that was left out and the command that runs it.
not_run() {
  left_out=1
  summary+=("not run          $1: $2")
}

# finish: prints the summary, keeps it in $logs/summary.txt, and exits with 1 if a part failed.
finish() {
  local result=passed
  ((failed == 0)) || result=FAILED
  summary+=("$(printf '%s  %6s  in all (minutes:seconds)' "$result" "$(minutes $((SECONDS - begin)))")")
  echo
  printf '%s\n' "${summary[@]}" | tee "$logs/summary.txt"
  exit "$failed"
}

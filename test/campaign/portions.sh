#!/usr/bin/env bash
# portions.sh BUILD: a short portion of each campaign (tools/campaigns.sh), and that campaigns count, stop, go on, and report what they find.
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/tools/campaign_allocations.sh" "$build" 0 34
"$root/tools/campaign_kills.sh" "$build" 0 4
"$root/tools/campaign_watchdog.sh" "$build" 0 3
[ "$("$root/tools/campaign_watchdog.sh" "$build")" -gt 500 ]

# a build whose only campaign finds something in its second portion
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/test/symbolic"
cat > "$work/test/symbolic/test_symbolic.lanes" << 'TEXT'
#!/bin/sh
echo "formulas from $1"
[ "$1" -ne 2000 ]
TEXT
chmod +x "$work/test/symbolic/test_symbolic.lanes"
mkdir "$work/campaigns"
echo "0 0 0" > "$work/campaigns/formulas.counts"
timeout -s INT 2 "$root/tools/campaigns.sh" "$work" formulas > "$work/out" 2>&1 && exit 1
read -r done found _ < "$work/campaigns/formulas.counts"
[ "$done" -gt 2000 ] && [ $((done % 2000)) -eq 0 ] && [ "$found" -eq 1 ]
grep -q 'formulas from 2000' "$work/campaigns/formulas-2000.log"
if "$root/tools/campaigns.sh" "$work" no-such 2> "$work/err"; then exit 1; fi
grep -q "no campaign 'no-such'" "$work/err"
"$root/tools/campaigns.sh" --table "$work" | grep -q "formulas.*| $done | 1000000 | 1 |"

# vertebra-tools: the command, its manual pages and its completion.
set -euo pipefail
vertebra info humanoid.urdf --json >/tmp/info.json
grep -q '"links"' /tmp/info.json
vertebra simulate humanoid.urdf --time 1 --dt 1/240 --drop 0.1
vertebra retarget walk.bvh humanoid.urdf -o /tmp/walk.csv
test -s /tmp/walk.csv
for page in /usr/share/man/man1/vertebra*; do test -s "$page"; done
(source /usr/share/bash-completion/completions/vertebra && COMP_WORDS=(vertebra sim) COMP_CWORD=1 && _vertebra && test "${COMPREPLY[0]}" = simulate)
echo "the command works"

#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A Slurm of one node on the loopback address, with its own key, ports and files, for as long as standard input stays open, one minute at most:
#   one_node_slurm.sh FOLDER
# FOLDER/state contains "ready" when it accepts jobs (with SLURM_CONF=FOLDER/slurm.conf), or the reason why it does not. No process survives this script.
set -u
folder=$(realpath "$1")
PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin
tell() { printf '%s\n' "$1" >"$folder/state.part" && mv "$folder/state.part" "$folder/state"; }

missing=''
for program in munged slurmctld slurmd sbatch squeue scontrol scancel sinfo; do
    command -v "$program" >/dev/null || missing+=${missing:+, }$program
done
if [[ -n $missing ]]; then
    tell "not installed here: $missing (Debian and Ubuntu: slurm-wlm)"
    exit 0
fi

# Ports below the ephemeral range.
free_port() {
    local port
    while port=$(shuf -i 20000-32000 -n 1); do
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port"
            return
        fi
    done
}

host=$(uname -n)
host=${host%%.*}
user=$(id -un)
mkdir -p "$folder/state_save" "$folder/spool"
(umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
# No control groups: a container may have none. Since version 23.11 they can be disabled.
case $(slurmd -V) in
    *\ 2[0-2].* | *\ 23.02.*) groups=cgroup/v1 ;;
    *) groups=disabled ;;
esac
printf 'CgroupPlugin=%s\n' "$groups" >"$folder/cgroup.conf"
cat >"$folder/slurm.conf" <<END
ClusterName=credence
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$folder/state_save
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_min_interval=1,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 CPUs=10 State=UNKNOWN
PartitionName=all Nodes=one Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$folder/slurm.conf

started=()
end_all() {
    trap - EXIT
    scancel --quiet --user="$user" 2>/dev/null
    for _ in {1..50}; do
        [[ -z $(squeue --noheader 2>/dev/null) ]] && break
        sleep 0.1
    done
    ((${#started[@]})) && kill "${started[@]}" 2>/dev/null
    for _ in {1..20}; do
        kill -0 "${started[@]}" 2>/dev/null || break
        sleep 0.1
    done
    ((${#started[@]})) && kill -9 "${started[@]}" 2>/dev/null
    # A step that outlives its job still writes to the log.
    for process in $(pgrep -x slurmstepd); do
        [[ $(readlink "/proc/$process/fd/"* 2>/dev/null) == *"$folder/slurmd.log"* ]] && kill -9 "$process"
    done
    wait
}
trap end_all EXIT
trap 'exit 1' HUP INT TERM PIPE

munged --foreground --force --num-threads=1 --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" \
    </dev/null >"$folder/munged.out" 2>&1 &
started+=($!)
for _ in {1..50}; do
    [[ -S $folder/munge.socket ]] && break
    sleep 0.1
done
slurmctld -D -c </dev/null >"$folder/slurmctld.out" 2>&1 &
started+=($!)
slurmd -D -N one </dev/null >"$folder/slurmd.out" 2>&1 &
started+=($!)

for _ in {1..100}; do
    if [[ $(timeout 5 sinfo --noheader --format=%T 2>/dev/null) == idle ]]; then
        tell ready
        read -r -t 60
        exit 0
    fi
    for process in "${started[@]}"; do
        kill -0 "$process" 2>/dev/null || break 2
    done
    sleep 0.1
done
tell "installed, but does not start here: $(cat "$folder"/{munged,slurmctld,slurmd}.{out,log} 2>/dev/null | grep -iE 'error|fatal' | tail -n 1)"

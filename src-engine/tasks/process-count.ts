/**
 * How many processes a program and all that it starts may be at once, counted by Linux in a control group of its own.
 * `ulimit -u` is no such limit: it counts every process that its user has anywhere, ours and those of other steps too.
 */

import { access, chown, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SagasmithError } from '../model/errors.ts'

/** A group that a program joins before it begins. */
export interface ProcessGroupLimit {
  /** What the program's shell writes itself into. */
  readonly procs: string
  /** Whether it wanted to be more than it may. */
  readonly wasMet: () => Promise<boolean>
  /** Removes the group, once all that was in it has ended. */
  readonly close: () => Promise<void>
}

/** What of a system is looked at. */
export interface CountingHost {
  readonly platform: string
  readonly pid: number
  /** Where control groups are. */
  readonly root: string
  /** Says which ones this process is in. */
  readonly ownGroups: () => Promise<string>
  readonly isAlive: (pid: number) => boolean
}

const thisHost: CountingHost = {
  platform: process.platform,
  pid: process.pid,
  root: '/sys/fs/cgroup',
  ownGroups: () => readFile('/proc/self/cgroup', 'utf8'),
  isAlive: (pid) => {
    try {
      return process.kill(pid, 0)
    } catch (thrown) {
      return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
    }
  },
}

let count = 0
/** Groups of this process that could not be removed yet: who was killed in them was still counted. */
const late = new Set<string>()

/** Makes one. `uid` is who the program runs as; null for the engine's own user. Throws `program_limits_unsupported`. */
export async function limitProcesses(
  max: number,
  uid: number | null,
  host: CountingHost = thisHost,
): Promise<ProcessGroupLimit> {
  if (host.platform !== 'linux')
    throw refused(`${platformNames[host.platform] ?? host.platform} counts none for a step`)
  const parent = await parentGroup(host)
  if (uid !== null && !parent.isFirstVersion)
    throw refused(
      'in the control groups of this Linux only their owner moves programs, and it runs as another user',
    )
  await removeLeft(parent.path, host)
  count += 1
  const path = join(parent.path, `${prefix}${host.pid}-${count}`)
  const procs = join(path, 'cgroup.procs')
  try {
    await mkdir(path)
    await access(join(path, 'pids.max'))
    await writeFile(join(path, 'pids.max'), String(max))
    if (uid !== null) await chown(procs, uid, -1)
  } catch (thrown) {
    await rmdir(path).catch(() => undefined)
    throw refused('the engine may make no control group that counts processes', thrown)
  }
  return {
    procs,
    wasMet: async () => /^max [1-9]/m.test(await readFile(join(path, 'pids.events'), 'utf8').catch(() => '')),
    close: () => removed(path),
  }
}

const prefix = 'sagasmith-'
const platformNames: Readonly<Record<string, string>> = { win32: 'Windows', darwin: 'macOS' }

interface ParentGroup {
  readonly path: string
  /** Of the two versions of control groups: in the first each counts in a tree of its own. */
  readonly isFirstVersion: boolean
}

/** The group that this process is in. */
async function parentGroup({ root, ownGroups }: CountingHost): Promise<ParentGroup> {
  const lines = (await ownGroups().catch(() => '')).split('\n').map((line) => line.split(':'))
  const first = lines.find(([, controllers = '']) => controllers.split(',').includes('pids'))
  if (first !== undefined) return { path: join(root, 'pids', first.slice(2).join(':')), isFirstVersion: true }
  const second = lines.find(([id, controllers]) => id === '0' && controllers === '')
  if (second !== undefined) return { path: join(root, second.slice(2).join(':')), isFirstVersion: false }
  throw refused('this Linux has no control groups')
}

/** Of engines that were killed, for nobody else removes what they made, and of this one what was not to be removed before. */
async function removeLeft(parent: string, { isAlive }: CountingHost): Promise<void> {
  for (const path of [...late]) {
    late.delete(path)
    await removed(path)
  }
  const names = await readdir(parent).catch(() => [])
  for (const name of names) {
    const pid = /^sagasmith-(\d+)-\d+$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rmdir(join(parent, name)).catch(() => undefined)
  }
}

/** What left its process group is still in here, and ends, too; what was killed just now is still counted for a moment. */
async function removed(path: string): Promise<void> {
  for (let turn = 0; turn < removalTurns; turn += 1) {
    try {
      await rmdir(path)
      return
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EBUSY')) return
    }
    const left = await readFile(join(path, 'cgroup.procs'), 'utf8').catch(() => '')
    for (const pid of left.split('\n').filter((line) => /^[1-9]\d*$/.test(line))) kill(Number(pid))
  }
  late.add(path)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** What is left after so many goes with the next limit. */
const removalTurns = 200

function refused(why: string, cause: unknown = null): SagasmithError {
  return new SagasmithError('program_limits_unsupported', {
    message: `The program was not started: its number of processes can’t be limited here, for ${why}.`,
    hint: 'Set the number of processes to 0, or have the step run by a runner on Linux that may make control groups (as root, or with a delegated one), or in a container.',
    details: { what: 'processes' },
    cause,
  })
}

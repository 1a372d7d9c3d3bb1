/** What a process wrote and synced, in its order, as strace saw it. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** One step of the disk's story; files are named without their folder. */
export type DiskStep =
  | { readonly kind: 'write'; readonly file: string; readonly at: number | null; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  /** In the same folder; lasting once that is synced. */
  | { readonly kind: 'rename'; readonly file: string; readonly to: string; readonly folder: string }
  | { readonly kind: 'sync'; readonly file: string }

const calls = 'write,pwrite64,writev,pwritev,fsync,fdatasync,ftruncate,rename'
/** A write of SQLite is a page, or a frame header; JavaScript's own lines are short. */
const longestString = 262_144

/** The strace on this machine; throws with what to install when there is none. */
export function requireStrace(): string {
  const found = ['/usr/bin/strace', '/usr/local/bin/strace'].find((path) => existsSync(path))
  if (found !== undefined) return found
  const installed = spawnSync('apt-get', ['install', '-y', '-qq', 'strace'], { stdio: 'ignore' })
  if (installed.status === 0 && existsSync('/usr/bin/strace')) return '/usr/bin/strace'
  throw new Error('strace is missing: install the package “strace” (Linux), then run this again')
}

/** Runs the workload under strace and gives what reached the disk's queue. */
export function recordWorkload(runs: number, durability: 'strict' | 'relaxed'): readonly DiskStep[] {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-power-'))
  const log = `${directory}.strace`
  try {
    // In the kernel: whoever is watched stops for these calls only.
    const filter = [
      '-f',
      '--seccomp-bpf',
      '-y',
      '-xx',
      '-s',
      String(longestString),
      '-e',
      `trace=${calls}`,
      '-o',
      log,
    ]
    const workload = [join(import.meta.dirname, 'workload.ts'), directory, String(runs), durability]
    const done = spawnSync(requireStrace(), [...filter, process.execPath, ...workload], { encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`the workload ended with ${String(done.status)}: ${done.stderr}`)
    return parseTrace(readFileSync(log, 'utf8'), directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
    rmSync(log, { force: true })
  }
}

/** Reads strace's lines; calls that another thread interrupted are put together again. */
export function parseTrace(text: string, directory: string): readonly DiskStep[] {
  const begun = new Map<string, string>()
  const steps: DiskStep[] = []
  for (const line of text.split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    const cut = rest.indexOf(' <unfinished ...>')
    if (cut >= 0) {
      begun.set(pid, rest.slice(0, cut))
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    const step = parseCall(resumed === null ? rest : `${begun.get(pid) ?? ''}${resumed[1] ?? ''}`, directory)
    if (step !== null) steps.push(step)
  }
  return steps
}

function parseCall(call: string, directory: string): DiskStep | null {
  const [, from, to] = /^rename\("([^"]*)", "([^"]*)"\) += 0$/.exec(call) ?? []
  if (from !== undefined && to !== undefined) return renameOf(decodePath(from), decodePath(to), directory)
  const [, name = '', path = '', args = ''] = /^(\w+)\(\d+<([^>]*)>(.*)$/.exec(call) ?? []
  const decoded = decodePath(path)
  if (!decoded.startsWith(directory) || / = -1 /.test(args)) return null
  const file = basename(decoded)
  if (name === 'fsync' || name === 'fdatasync') return { kind: 'sync', file }
  if (name === 'ftruncate') return { kind: 'truncate', file, size: Number(/, (\d+)/.exec(args)?.[1]) }
  if (name !== 'write' && name !== 'pwrite64') throw new Error(`${name} is not understood here`)
  const [, text = '', , at] = /^, "([^"]*)", (\d+)(?:, (\d+))?\)/.exec(args) ?? []
  return { kind: 'write', file, at: at === undefined ? null : Number(at), bytes: decodeBytes(text) }
}

function renameOf(from: string, to: string, directory: string): DiskStep | null {
  if (!to.startsWith(directory)) return null
  return { kind: 'rename', file: basename(from), to: basename(to), folder: basename(dirname(to)) }
}

const decodeBytes = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')

const decodePath = (path: string): string => (path.startsWith('\\x') ? decodeBytes(path).toString() : path)

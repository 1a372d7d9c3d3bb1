/** Ends processes as a power cut does: with all that they have started. */

import { execFileSync } from 'node:child_process'

/** Kills a process and all below it. Those are looked for first: with its parent gone, nobody knows whose a process was. */
export function killTree(pid: number): void {
  for (const one of [pid, ...startedBy(pid)]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It has ended by itself meanwhile.
    }
  }
}

function startedBy(pid: number): readonly number[] {
  const below = Map.groupBy(listed(), ([, parent]) => parent)
  const found: number[] = []
  for (let open = [pid]; open.length > 0; ) {
    open = open.flatMap((parent) => (below.get(parent) ?? []).map(([child]) => child))
    found.push(...open)
  }
  return found
}

/** Every process with its parent; none where there is no `ps`. */
function listed(): readonly (readonly [number, number])[] {
  if (process.platform === 'win32') return []
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
      return [pid, parent] as const
    })
}

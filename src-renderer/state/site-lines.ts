/** Lines to where runs are done, and which of them a run needs. */

import type { EngineConnection } from '../bridge/connection.ts'
import type { Designer } from './designer.ts'
import type { Site } from './site.ts'

/** Whether that is what the whole page is about. */
export const isHere = ({ cluster }: Pick<Designer, 'cluster'>, site: Site): boolean =>
  site?.name === cluster?.name

/** Clusters have names; this computer has none. */
const nameOf = (site: Site): string => site?.name ?? ''

/** The line to a place: the page's own, or another one, which is opened when it is first asked for. */
export function lineTo(designer: Designer, site: Site): EngineConnection {
  if (isHere(designer, site)) return designer.connection
  const name = nameOf(site)
  const known = designer.lines.get(name)
  // One that was refused is asked again: what was wrong may be right by now.
  if (known !== undefined && known.state.getState().status !== 'refused') return known
  const line = designer.connectTo(site)
  designer.lines.set(name, line)
  return line
}

/** Whether somebody answers there; of a line that was never asked for, nobody knows better. */
export function isAnswered(
  designer: Pick<Designer, 'cluster' | 'connection' | 'lines'>,
  site: Site,
): boolean {
  const line = isHere(designer, site) ? designer.connection : designer.lines.get(nameOf(site))
  return line === undefined || line.state.getState().status === 'open'
}

/** The line to where a run is: that of the shown run, else the page's own. */
export function lineOfRun(designer: Designer, runId: string): EngineConnection {
  const { current } = designer.runs.getState()
  return current?.runId === runId ? lineTo(designer, current.site) : designer.connection
}

/** Where the shown run is; what the page is about while none is shown. */
export function shownSite(designer: Designer): Site {
  return designer.runs.getState().current?.site ?? designer.cluster
}

/** Lets go of lines that nothing is shown of. */
export function closeUnusedLines(designer: Designer, used: readonly Site[]): void {
  const names = new Set(used.map(nameOf))
  for (const [name, line] of designer.lines) {
    if (names.has(name)) continue
    line.close()
    designer.lines.delete(name)
  }
}

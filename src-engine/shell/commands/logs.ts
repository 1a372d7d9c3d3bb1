/** `logs`: what was printed and what happened, over all runs. */

import { invocationId, runId, runnerId } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { LogEntry, LogPage, LogQuery } from '../../protocol/history.ts'
import { logLevels, logSources } from '../../protocol/history.ts'
import { namedPlaces } from '../../protocol/named-places.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { Session } from '../session.ts'
import { instantText } from '../terminal.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { flagText } from './flag-text.ts'
import { instantOf } from './instant-flag.ts'
import { tellMissing } from './tell-missing.ts'
import { withSession } from './with-session.ts'

const limitDefault = 50
/** Often enough to look live, seldom enough to cost nothing. */
const everyMs = 1_000

export const logsCommand: Command = {
  usage: 'logs [WORDS] [--level LEVEL] [--run RUN] [--step STEP] [--follow]',
  summary: 'List what steps printed and what happened, over all runs; the newest last.',
  options: {
    level: { type: 'string' },
    source: { type: 'string' },
    run: { type: 'string' },
    step: { type: 'string' },
    runner: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    core: { type: 'boolean' },
    follow: { type: 'boolean', short: 'f' },
    before: { type: 'string' },
    limit: { type: 'string' },
    cluster: { type: 'string' },
  },
  optionHelp: [
    ['WORDS', 'only what says this, or is about this id; a pasted line is looked for by the ids in it'],
    ['--level LEVEL', `nothing less urgent than this: ${logLevels.join(', ')} (info)`],
    ['--source SOURCE', 'all, lines (what was printed) or events (what happened)'],
    ['--run RUN', 'only of this run'],
    ['--step STEP', 'only of this step: its title or id, pay@each:3, or the id of its invocation'],
    ['--runner RUNNER', 'only what this runner did'],
    ['--since WHEN', 'not before: a date, or how long ago (90m, 2h, 7d)'],
    ['--until WHEN', 'only before'],
    ['--core', 'the engine’s own runs, too'],
    ['-f, --follow', 'goes on with what comes, until Ctrl-C'],
    ['--before CURSOR', 'the page before the one that said so'],
    ['--limit N', `about how many (${limitDefault})`],
    ['--cluster NAME', 'on this cluster (redis://…, or its name)'],
  ],
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const query = queryOf(context)
    const isFollowing = context.flags['follow'] === true
    const isHere = context.flags['cluster'] === undefined
    let after = ''
    const code = await withSession(context, 'look', async (session): Promise<ExitCode> => {
      const page = await pageOf(session, query)
      tell(context, page.entries)
      after = page.cursor
      if (!isFollowing) tellEnd(context, page)
      else if (!isHere) await follow(context, { query, after, within: (act) => act(session) })
      await tellMissing(context, session)
      return 0
    })
    // Who looks on must not keep others from the data directory: each look is one of its own.
    const within = (act: Look): Promise<LogPage> => withSession(context, 'look', act)
    if (isFollowing && isHere) await follow(context, { query, after, within })
    return code
  },
}

type Look = (session: Session) => Promise<LogPage>

/** A page may end early where nothing fits for long: then the next one is asked for, too. */
async function pageOf(session: Session, query: LogQuery): Promise<LogPage> {
  const first = await session.call('logs.search', query)
  const entries = [...first.entries]
  let page = first
  while (page.next !== null && entries.length < query.limit) {
    const limit = query.limit - entries.length
    page = await session.call('logs.search', { ...query, before: page.next, limit })
    entries.push(...page.entries)
  }
  return { ...first, entries, next: page.next }
}

async function follow(
  context: CommandContext,
  from: {
    readonly query: LogQuery
    readonly after: string
    readonly within: (look: Look) => Promise<LogPage>
  },
): Promise<void> {
  const left = new AbortController()
  const stopListening = context.onInterrupt(() => left.abort())
  try {
    let { after } = from
    while (!left.signal.aborted) {
      const query = { ...from.query, before: null, after }
      const page = await from.within((session) => session.call('logs.search', query))
      tell(context, page.entries)
      after = page.cursor
      if (!page.more) await pause(left.signal)
    }
  } finally {
    stopListening()
  }
}

/** A moment, or until somebody has seen enough. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = systemClock.after(everyMs, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })

/** Oldest first, as a log reads. */
function tell({ terminal, json, emit }: CommandContext, entries: readonly LogEntry[]): void {
  for (const entry of entries.toReversed()) {
    if (json) emit({ type: 'log', ...entry })
    else terminal.line(lineOf(entry, terminal.colors))
  }
}

function tellEnd({ terminal, json, emit }: CommandContext, { entries, next }: LogPage): void {
  if (json) {
    emit({ type: 'log.page', next })
    return
  }
  if (entries.length === 0) terminal.line('Nothing that was logged fits.')
  if (next !== null) terminal.line(terminal.colors.dim(`Older: sagasmith logs --before ${next}`))
}

function lineOf(
  { at, level, text, runId: run, invocationId: step, nodeId, stream, workflowTitle }: LogEntry,
  { dim, red, yellow }: CommandContext['terminal']['colors'],
): string {
  const paint = { debug: dim, info: (words: string) => words, warn: yellow, error: red }[level]
  const where = step ?? (nodeId === null || run === null ? run : `${run}/${nodeId}`)
  const of = workflowTitle === null ? '' : ` ${workflowTitle}`
  const how = stream === 'event' ? '' : dim(` ${stream}`)
  return `${instantText(at)} ${paint(level.padEnd(5))} ${paint(text)}${how}${dim(`  ${where ?? '-'}${of}`)}`
}

function queryOf(context: CommandContext): LogQuery {
  const text = (name: string): string | null => flagText(context, name)
  const now = systemClock.now()
  const [since, until] = [text('since'), text('until')]
  const [run, runner] = [text('run'), text('runner')]
  return {
    ...{ text: null, step: text('step') },
    level: oneOf(text('level'), { known: logLevels, usual: 'info', what: 'level' }),
    source: oneOf(text('source'), { known: logSources, usual: 'all', what: 'source' }),
    runId: run === null ? null : runId(run),
    runnerId: runner === null ? null : runnerId(runner),
    since: since === null ? null : instantOf(since, now),
    until: until === null ? null : instantOf(until, now),
    includeCore: context.flags['core'] === true,
    before: text('before'),
    after: null,
    limit: limitOf(text('limit')),
    ...wordsOf(context.positionals[0] ?? ''),
  }
}

/** What is pasted is looked for by what it names, words as they are. */
function wordsOf(text: string): Partial<LogQuery> {
  const place = namedPlaces(text).find(({ kind }) => kind !== 'link')
  if (place?.kind === 'run') return { runId: place.runId }
  if (place?.kind === 'step') return { runId: place.runId, step: invocationId(place.invocationId) }
  if (place?.kind === 'runner') return { runnerId: runnerId(place.runnerId) }
  return text.trim() === '' ? {} : { text: text.trim() }
}

function oneOf<Word extends string>(
  given: string | null,
  among: { readonly known: readonly Word[]; readonly usual: Word; readonly what: string },
): Word {
  if (given === null) return among.usual
  const found = among.known.find((word) => word === given.trim().toLowerCase())
  if (found !== undefined) return found
  throw usageError(`There is no ${among.what} “${given}”.`, `Use one of: ${among.known.join(', ')}.`)
}

function limitOf(given: string | null): number {
  if (given === null) return limitDefault
  const limit = Number(given)
  if (Number.isInteger(limit) && limit >= 1 && limit <= pageSizeMax) return limit
  throw usageError(`“${given}” is no number of entries.`, `Use 1 to ${pageSizeMax}.`)
}

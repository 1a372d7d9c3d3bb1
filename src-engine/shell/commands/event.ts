/** `event emit|list|show`: tells a fact to whom it concerns; shows those that triggers heard. */

import type { EventRecord } from '../../model/event-record.ts'
import { runId } from '../../model/ids.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { readRunInput } from './run-input.ts'
import { withSession } from './with-session.ts'

const words = {
  accepted: 'Emitted: every step that waits for it goes on.',
  repeated: 'Received before: nothing has changed.',
} as const

export const eventCommand: Command = {
  usage:
    'event emit NAME [--payload JSON] [--correlation TEXT] [--run RUN] [--id MESSAGE] | list | show EVENT',
  summary: 'Emit an event to the steps that wait for it and to triggers, or to one run; look at events.',
  options: {
    payload: { type: 'string' },
    correlation: { type: 'string' },
    run: { type: 'string' },
    id: { type: 'string' },
  },
  optionHelp: [
    ['--payload JSON', 'what the event carries; @file reads it from a file, @- from the input'],
    ['--correlation TEXT', 'the correlation that the waiting steps name'],
    ['--run RUN', 'only this run gets it, and keeps it until a step of it waits'],
    ['--id MESSAGE', 'your own id of the message: emitted again, it changes nothing'],
    ['list', 'the newest events that triggers listened for'],
    ['show EVENT', 'what an event carried, and which triggers it met'],
  ],
  positionals: { min: 1, max: 2 },
  run: async (context) => {
    const [action = '', name = ''] = context.positionals
    if (action === 'list' && name === '') return listEvents(context)
    if (action === 'show' && name !== '') return showEvent(context, name)
    if (action !== 'emit' || name === '') {
      throw usageError(`That is no use of “event ${action}”.`, `Usage: sagasmith ${eventCommand.usage}`)
    }
    const text = (flag: string): string | null => {
      const value = context.flags[flag]
      return typeof value === 'string' ? value : null
    }
    const payload = await readRunInput(text('payload') ?? 'null', 'payload')
    const run = text('run')
    return withSession(context, 'look', async (session) => {
      const answer = await session.call('events.emit', {
        name,
        correlation: text('correlation'),
        payload,
        messageId: text('id'),
        runId: run === null ? null : runId(run),
      })
      if (context.json) context.emit({ type: 'event.emitted', name, ...answer })
      else context.terminal.line(words[answer.outcome])
      return 0
    })
  },
}

const listedMax = 50

function listEvents(context: CommandContext): Promise<ExitCode> {
  return withSession(context, 'look', async (session) => {
    const { events } = await session.call('events.list', { after: null, limit: listedMax })
    for (const event of events) showLine(context, event)
    return 0
  })
}

function showEvent(context: CommandContext, eventId: string): Promise<ExitCode> {
  return withSession(context, 'look', async (session) => {
    const { event, payload, firings } = await session.call('events.show', { eventId })
    if (context.json) {
      context.emit({ type: 'event', ...event, payload, firings })
      return 0
    }
    showLine(context, event)
    context.terminal.line(`  ${JSON.stringify(payload)}`)
    for (const { workflowId, triggerId, runId: run, words } of firings) {
      context.terminal.line(`  ${workflowId} ${triggerId}: ${run ?? words}`)
    }
    return 0
  })
}

function showLine({ json, emit, terminal }: CommandContext, event: EventRecord): void {
  const { id, name, at, met } = event
  if (json) emit({ type: 'event', ...event })
  else terminal.line(`${new Date(at).toISOString()}  ${name}  met ${met.length}  ${terminal.colors.dim(id)}`)
}

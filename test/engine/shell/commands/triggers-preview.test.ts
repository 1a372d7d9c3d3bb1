/** `triggers preview`: every slot a line, from the calculator that fires schedules. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandContext } from '../../../../src-engine/shell/commands/command.ts'
import { triggersCommand } from '../../../../src-engine/shell/commands/triggers.ts'
import { loadSettings } from '../../../../src-engine/shell/config.ts'
import { triggerHandlers } from '../../../../src-engine/shell/handlers/triggers.ts'
import { createTerminal } from '../../../../src-engine/shell/terminal.ts'

let directory = ''
let file = ''

const document = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'reports',
  title: 'Reports',
  nodes: { both: { kind: 'join', title: 'Both' } },
  edges: {},
  triggers: {
    morning: {
      kind: 'cron',
      title: 'Morning',
      parameters: { expression: '0 9 * * MON-FRI', timeZone: 'Europe/Lisbon', except: ['2026-03-30'] },
    },
    nightly: { kind: 'cron', enabled: false, parameters: { expression: '0 3 * * *' } },
    hand: { kind: 'manual' },
    bad: { kind: 'cron', title: 'Bad', parameters: { expression: '0 99 * * *' } },
  },
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'triggers-preview-'))
  file = join(directory, 'reports.json')
  await writeFile(file, JSON.stringify(document))
})

afterAll(() => rm(directory, { recursive: true }))

async function call(
  positionals: readonly string[],
  flags: CommandContext['flags'] = {},
): Promise<{ readonly code: number; readonly out: string; readonly emitted: readonly object[] }> {
  let out = ''
  const stream = { isTTY: false, write: (text: string) => (out += text) }
  const emitted: object[] = []
  const code = await triggersCommand.run({
    positionals,
    flags,
    json: flags['json'] === true,
    settings: loadSettings({ environment: {}, flags: {}, home: directory }),
    terminal: createTerminal(stream, stream),
    emit: (value) => emitted.push(value),
    put: (content) => Promise.resolve(void (out += content)),
    onInterrupt: () => () => {},
  })
  return { code, out, emitted }
}

describe('triggers preview', () => {
  it('has a line of JSON for each slot, with its UTC instant, the instant that was asked for included', async () => {
    const flags = {
      cron: '30 2 * * *',
      zone: 'Europe/Berlin',
      from: '2026-03-28T01:30:00Z',
      count: '3',
      json: true,
    }
    const { code, emitted } = await call(['preview'], flags)
    expect(code).toBe(0)
    expect(emitted).toEqual([
      {
        type: 'trigger.slot',
        at: '2026-03-28T01:30:00.000Z',
        local: '2026-03-28T02:30:00+01:00',
        change: null,
      },
      {
        type: 'trigger.slot',
        at: '2026-03-29T01:00:00.000Z',
        local: '2026-03-29T03:00:00+02:00',
        change: 'gap',
      },
      {
        type: 'trigger.slot',
        at: '2026-03-30T00:30:00.000Z',
        local: '2026-03-30T02:30:00+02:00',
        change: null,
      },
    ])
  })

  it('has none for a schedule that never comes', async () => {
    expect(await call(['preview'], { cron: '0 0 30 2 *', json: true })).toEqual({
      code: 0,
      out: '',
      emitted: [],
    })
  })

  it('shows each schedule of a file in words, and tells which of them can’t be read', async () => {
    const { code, out } = await call(['preview', file], { from: '2026-03-27', count: '2' })
    expect(code).toBe(2)
    expect(out).toContain('Morning  every weekday at 09:00 in Lisbon, but not on 2026-03-30')
    expect(out).toContain('2026-03-27T09:00:00+00:00  2026-03-27T09:00:00Z')
    expect(out).toContain('2026-03-31T09:00:00+01:00  2026-03-31T08:00:00Z')
    expect(out).toContain('nightly  every day at 03:00 in UTC  off')
    expect(out).toContain('The trigger “Bad”: “Schedule” is not right: in the field of the hour, “99”')
  })

  it('names the trigger in each line of JSON', async () => {
    const { emitted } = await call(['preview', file], { from: '2026-03-27', count: '1', json: true })
    const slots = emitted.filter((line) => 'at' in line)
    expect(slots.map((line) => Object.entries(line).find(([key]) => key === 'triggerId')?.[1])).toEqual([
      ...['morning', 'nightly'],
    ])
  })

  it.for([
    [['preview'], {}, 'A preview is of a FILE or of --cron.'],
    [['preview', 'a.json'], { cron: '* * * * *' }, 'A preview is of a FILE or of --cron.'],
    [['preview', 'a.json'], { zone: 'UTC' }, '--zone belongs to --cron.'],
    [['preview'], { cron: '0 25 * * *' }, '“0 25 * * *” is no cron expression'],
    [['preview'], { cron: '* * * * *', zone: 'Mars/Base' }, 'There is no time zone “Mars/Base”.'],
    [['preview'], { cron: '* * * * *', from: 'soon' }, '“soon” is no instant.'],
    [['preview'], { cron: '* * * * *', count: '0' }, '“0” is no count.'],
    [['look'], {}, 'That is no use of “triggers look”.'],
  ] as const)('%j %j is refused in one sentence', async ([positionals, flags, message]) => {
    await expect(call(positionals, flags)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(message),
    })
  })
})

describe('triggers.preview', () => {
  const engine = { now: () => Date.parse('2026-10-24T12:00Z') }
  const handlers = triggerHandlers({ engine: engine as never, settings: [] })

  it('tells a form the words, the rule of changing clocks and the next slots', async () => {
    const parameters = { expression: '30 2 * * *', timeZone: 'Europe/Berlin' }
    const answer = await handlers['triggers.preview']({ parameters, from: null, count: 2 })
    expect(answer).toEqual({
      kind: 'schedule',
      words: 'every day at 02:30 in Berlin',
      rule: expect.stringContaining('where its time comes twice, it starts the first time'),
      timeZone: 'Europe/Berlin',
      slots: [
        { at: 1792888200000, fireAt: 1792888200000, local: '2026-10-25T02:30:00+02:00', change: 'first' },
        { at: 1792978200000, fireAt: 1792978200000, local: '2026-10-26T02:30:00+01:00', change: null },
      ],
    })
  })

  it('tells which field is to blame for a half written one', async () => {
    const answer = await handlers['triggers.preview']({
      parameters: { expression: '30 2' },
      from: null,
      count: 2,
    })
    expect(answer).toEqual({
      kind: 'problem',
      field: 'expression',
      message: '“Schedule” is not right: it has 2 fields, and five or six are needed.',
    })
  })
})

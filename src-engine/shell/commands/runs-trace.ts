/** `runs trace ID STEP PLACE`: where a value of a run comes from, and which steps read it. */

import { SagasmithError } from '../../model/errors.ts'
import type { Hop } from '../../model/following/follow-value.ts'
import type { FollowedRun } from '../../model/following/followed-runs.ts'
import { recordAt } from '../../model/following/followed-runs.ts'
import { originWords } from '../../model/following/origin-words.ts'
import type { ValuePlace } from '../../model/following/value-place.ts'
import { readPlaceText, valuePlaceText } from '../../model/following/value-place.ts'
import { runId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import type { LoadedValue } from '../../protocol/load-followed-value.ts'
import { loadFollowedValue } from '../../protocol/load-followed-value.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { withSession } from './with-session.ts'

const shownCharsMax = 80

/** `STEP` is a node id, with `@each:2` for an item or turn of it. */
export function traceAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const [run = '', step = '', text = 'output'] = args
  const read = readPlaceText(text)
  if (read === null || read.of === 'run.input' || read.of === 'vars') {
    throw usageError(
      `“${text}” is no place of a step.`,
      'Say output.total, input.rows[0].id (what arrived) or parameters.url (what it was called with).',
    )
  }
  const at = step.lastIndexOf('@')
  const nodeId = at > 0 ? step.slice(0, at) : step
  const path = at > 0 ? step.slice(at + 1) : ''
  return withSession(context, 'look', async (session) => {
    const start: ValuePlace = { runId: runId(run), nodeId, path, ...read }
    const value = await loadFollowedValue(session, start, taskSpecsByKind)
    const own = value.runs.get(start.runId)
    if (own === undefined || recordAt(own, nodeId, path) === null) throw notReached(start, own)
    if (context.json) emit(context, value)
    else print(context, value)
    return 0
  })
}

function notReached({ runId: id, nodeId }: ValuePlace, run: FollowedRun | undefined): SagasmithError {
  const others = [...(run?.steps.values() ?? [])].filter(
    (step) => step.nodeId === nodeId && step.record !== null,
  )
  const [other] = others
  return new SagasmithError('invocation_not_found', {
    message: `Run ${id} has not come to the step “${nodeId}” there, or there is none of that name.`,
    hint:
      other === undefined
        ? `See its steps with \`sagasmith runs show ${id}\`.`
        : `It runs once per item or turn: name one, such as ${nodeId}@${other.path}.`,
    details: { runId: id, nodeId },
  })
}

function emit(context: CommandContext, { hops, readers, isCut }: LoadedValue): void {
  context.emit({ type: 'trace', hops: hops.length, readers: readers.length, isCut })
  for (const [index, hop] of hops.entries()) {
    context.emit({ type: 'hop', index, ...hop, place: hop.place, text: valuePlaceText(hop.place) })
  }
  for (const reader of readers)
    context.emit({ type: 'reader', ...reader, text: valuePlaceText(reader.place) })
}

function print(context: CommandContext, { hops, readers, runs, isCut }: LoadedValue): void {
  const { terminal } = context
  const { bold, dim } = terminal.colors
  terminal.line(bold('Where it comes from'))
  for (const [index, hop] of hops.entries()) {
    terminal.line(`${String(index + 1).padStart(3)}  ${placeName(runs, hop.place)} = ${valueText(hop.value)}`)
    terminal.line(dim(`     ${howText(hop)}`))
  }
  if (isCut) terminal.line(dim('     … and more, which isn’t followed.'))
  terminal.line(`\n${bold('Who reads it')}`)
  for (const { place, expression, value } of readers) {
    terminal.line(`     ${placeName(runs, place)} = ${valueText(value)}`)
    terminal.line(dim(`     by ${expression}`))
  }
  if (readers.length === 0) terminal.line(dim('     No setting of a step that ran reads it.'))
}

function placeName(runs: LoadedValue['runs'], place: ValuePlace): string {
  const { runId: id, nodeId, path } = place
  const title = nodeId === null ? null : (runs.get(id)?.graph.nodeById.get(nodeId)?.node.title ?? nodeId)
  const step = title === null ? '' : `“${title}”${path === '' ? '' : ` [${path}]`} `
  const isFirst = [...runs.keys()][0] === id
  return `${isFirst ? '' : `${id}: `}${step}${valuePlaceText(place)}`
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return '(not known here)'
  const text = canonicalJson(value)
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)} …` : text
}

function howText({ how, expression, from }: Hop): string {
  const by = expression === null ? '' : ` by ${expression}`
  const numbers = from.map((index) => index + 1).join(', ')
  if (how === 'copied') return `taken from ${numbers}${by}`
  if (how === 'made') return numbers === '' ? `made${by}` : `made from ${numbers}${by}`
  return `${originWords[how]}${by}`
}

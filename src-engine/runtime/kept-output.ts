/**
 * How what a step gives, and is called with, is kept: with its run, or only until that is over. A step that hands on what arrived at it
 * keeps it no longer than the step that it came from.
 */

import type { KeepRule } from '../core/step-rules.ts'
import type { JsonValue } from '../model/json.ts'
import { taskOutputBytesMax } from '../model/limits.ts'
import type { FleetingPayload, Payload } from '../model/payload.ts'
import { isFleeting } from '../model/payload.ts'
import { valueSummary } from '../model/value-summary.ts'
import { inputValue } from './attempt-scope.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { PayloadStore } from './payload-store.ts'

/** A promise only where something is stored or read. */
export function keptOutput(
  payloads: PayloadStore,
  { node, input, results }: Pick<AttemptWork, 'node' | 'input' | 'results'>,
  output: JsonValue,
): Payload | Promise<Payload> {
  if (node.keep !== null) return keptUntilEnd(payloads, node.keep, output)
  // A map gathers what its items gave, and says nothing of its own.
  const gathered = results?.flatMap(fleetingOf) ?? []
  if (gathered.length > 0) return keptUntilEnd(payloads, leastOf(gathered), output)
  const arrived = fleetingOf(input)
  const json = JSON.stringify(output)
  if (arrived.length === 0) return payloads.keep(json, taskOutputBytesMax)
  return keptAsItCame(payloads, { input, arrived }, json)
}

/** What a step is called with: it may quote what it gives, and is kept like that. */
export function keptInput(
  payloads: PayloadStore,
  { keep }: Pick<AttemptWork['node'], 'keep'>,
  json: string,
): Payload | Promise<Payload> {
  return keep === null ? payloads.keep(json) : keptUntilEnd(payloads, keep, JSON.parse(json) as JsonValue)
}

/** Another form of a value, kept no longer than that. */
export function keptLike(
  payloads: PayloadStore,
  like: Payload,
  output: JsonValue,
): Payload | Promise<Payload> {
  if (!isFleeting(like)) return payloads.keep(JSON.stringify(output), taskOutputBytesMax)
  return keptUntilEnd(payloads, { summary: like.fleeting.summary !== null }, output)
}

/** What a body begins with: where that is what arrived, it is the same value, and no copy of it. */
export async function keptAsArrived(
  payloads: PayloadStore,
  input: AttemptWork['input'],
  value: JsonValue,
): Promise<Payload> {
  const json = JSON.stringify(value)
  const isSame =
    input.kind === 'single' &&
    isFleeting(input.payload) &&
    JSON.stringify(await inputValue(payloads, input)) === json
  return isSame ? input.payload : payloads.keep(json, taskOutputBytesMax)
}

const keptUntilEnd = (payloads: PayloadStore, { summary }: KeepRule, output: JsonValue): Promise<Payload> =>
  payloads.keepFleeting(JSON.stringify(output), summary ? JSON.stringify(valueSummary(output)) : null)

function fleetingOf(input: AttemptWork['input']): readonly FleetingPayload[] {
  if (input.kind === 'several') return input.parts.map(({ payload }) => payload).filter(isFleeting)
  const payload = input.kind === 'item' ? input.items : input.payload
  return isFleeting(payload) ? [payload] : []
}

const leastOf = (values: readonly FleetingPayload[]): KeepRule => ({
  summary: values.every(({ fleeting }) => fleeting.summary !== null),
})

async function keptAsItCame(
  payloads: PayloadStore,
  came: { readonly input: AttemptWork['input']; readonly arrived: readonly FleetingPayload[] },
  json: string,
): Promise<Payload> {
  const { input, arrived } = came
  if (JSON.stringify(await inputValue(payloads, input)) !== json)
    return payloads.keep(json, taskOutputBytesMax)
  if (input.kind === 'single') return input.payload
  return keptUntilEnd(payloads, leastOf(arrived), JSON.parse(json) as JsonValue)
}

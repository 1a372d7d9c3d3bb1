/**
 * Test addresses that somebody listens at: each a register that comes due when its time is over, so that every
 * process that listens for web calls serves it, and none for longer.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { WebhookParameters } from '../../triggers/webhook/spec.ts'
import { webhookFields } from '../../triggers/webhook/spec.ts'
import { lookAtRegister } from '../register-look.ts'
import { triggerNotFound } from '../triggers/trigger-not-found.ts'
import type { TriggerRegistersParts } from '../triggers/trigger-registers.ts'
import { grownCatalogue, loadTrigger, writeRegisters } from '../triggers/trigger-registers.ts'

/** All of them have keys with this beginning. */
export const webhookTestPrefix = 'webhook-test/'

export interface OpenTest extends TriggerName {
  /** As a form had them, published or not. */
  readonly parameters: WebhookParameters
  readonly until: Instant
}

const testKey = ({ workflowId, triggerId }: TriggerName): string =>
  `${webhookTestPrefix}${encodeURIComponent(workflowId)}/${encodeURIComponent(triggerId)}`

const racesMax = 10

/** Has the test address answer for a time. Throws `trigger_not_found`, and `bad_request` for parameters that don't fit. */
export async function openTest(
  parts: TriggerRegistersParts,
  given: { readonly name: TriggerName; readonly parameters: JsonObject | null; readonly forMs: Millis },
): Promise<OpenTest> {
  const { workflowId, triggerId } = given.name
  const parameters = given.parameters ?? (await publishedParameters(parts, given.name))
  const read = webhookFields().safeParse(parameters)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new SagasmithError('bad_request', {
      message: `The webhook can’t be tested as it is: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
      hint: 'Give it a path first.',
    })
  }
  const until = parts.clock.now() + given.forMs
  const test: OpenTest = { workflowId, triggerId, parameters: read.data, until }
  await writeTest(parts, given.name, test)
  return test
}

/** The test address answers no more. */
export const closeTest = (parts: TriggerRegistersParts, name: TriggerName): Promise<void> =>
  writeTest(parts, name, null)

/** The test of a trigger that goes on; null for none. */
export async function loadTest(
  { store, partition, clock }: TriggerRegistersParts,
  name: TriggerName,
): Promise<OpenTest | null> {
  const register = await store.load(partition, 'register', { key: testKey(name) })
  return goesOn(readTest(register?.value), clock.now())
}

/** All that go on. */
export async function listTests({
  store,
  partition,
  clock,
}: TriggerRegistersParts): Promise<readonly OpenTest[]> {
  const filter = { prefix: webhookTestPrefix }
  const found = await store.list(partition, 'registers', {
    filter,
    page: { after: null, limit: pageSizeMax },
  })
  return found.flatMap(({ value }) => goesOn(readTest(value), clock.now()) ?? [])
}

const goesOn = (test: OpenTest | null, now: Instant): OpenTest | null =>
  test !== null && test.until > now ? test : null

function readTest(value: JsonValue | undefined): OpenTest | null {
  if (!isJsonObject(value) || typeof value['until'] !== 'number') return null
  // Nothing but this file writes registers of these keys.
  return value as unknown as OpenTest
}

async function publishedParameters(parts: TriggerRegistersParts, name: TriggerName): Promise<JsonObject> {
  const found = await loadTrigger(parts, name)
  if (found?.record.kind === 'webhook') return found.record.parameters
  throw triggerNotFound(name)
}

/** Who serves webhooks looks again when the catalogue grows. */
async function writeTest(
  parts: TriggerRegistersParts,
  name: TriggerName,
  test: OpenTest | null,
): Promise<void> {
  const key = testKey(name)
  for (let races = 0; races < racesMax; races += 1) {
    const { register, epoch, version } = await lookAtRegister(parts, key)
    if (register === null && test === null) return
    const seen = { key, epoch, version }
    const written =
      test === null
        ? { ...seen, value: null }
        : { ...seen, value: test as unknown as JsonValue, dueAt: test.until }
    if (await writeRegisters(parts, [written, await grownCatalogue(parts)])) return
  }
  throw new SagasmithError('lost_race')
}

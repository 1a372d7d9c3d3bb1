/** The dead letter of an event from outside whose run has ended or is gone. */

import { noWrites } from '../../model/checkpoint.ts'
import type { EmittedEvent } from '../../model/effect.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import { isJsonObject } from '../../model/json.ts'
import { expecting, lookAtRegister } from '../register-look.ts'
import type { RunnerDependencies } from '../runner.ts'

/** What is known of a message from outside, for as long as its repeats are to do nothing. */
export const markKeyOf = (messageId: string): string => `${markPrefix}${messageId}`

/** All marks of messages have keys with this beginning. */
export const markPrefix = 'event-mark:'

/**
 * Written before the event counts as delivered; a repeat writes the same letter. It belongs to no run: running
 * that again would not deliver the event. Throws `dead_letter_unwritten`.
 */
export async function writeLateLetter(
  dependencies: Pick<RunnerDependencies, 'store' | 'partition' | 'runnerId' | 'clock' | 'log'>,
  event: EmittedEvent & { readonly runId: RunId },
  { code, message }: Pick<ErrorRecord, 'code' | 'message'>,
): Promise<void> {
  const { store, partition, runnerId, clock, log } = dependencies
  const { messageId, name, correlation, runId, payload } = event
  const at = clock.now()
  const letter = {
    id: `event:${messageId}`,
    runId: null,
    invocationId: null,
    workflowId: null,
    nodeId: null,
    reason: code,
    message:
      code === 'signal_payload_invalid'
        ? `The run ${runId} didn’t take the event “${name}”: ${message}`
        : `The event “${name}” came too late for the run ${runId}: ${message}`,
    lastStatus: 'ACCEPTED',
    at,
    attempts: 1,
    input: payload,
    body: { messageId, name, correlation, runId },
  }
  const key = markKeyOf(messageId)
  try {
    const { register: mark, epoch, version } = await lookAtRegister({ store, partition }, key)
    if (mark !== null && isJsonObject(mark.value) && mark.value['late'] === true) return
    const [answer] = await store.commit(partition, [
      {
        partition,
        opId: opId(`late:${messageId}:${at}`),
        actor: { kind: 'run', id: runnerId },
        at,
        expect: expecting([{ key, epoch, version }]),
        writes: {
          ...noWrites,
          registers: [{ key, value: { at, late: true } }],
          deadLetters: [letter],
        },
        events: [],
      },
    ])
    if (answer?.kind !== 'accepted') throw new SagasmithError('lost_race')
  } catch (thrown) {
    log.error('dead-letter.failed', { runId, messageId, count: 1, error: recordOfThrown(thrown).message })
    throw new SagasmithError('dead_letter_unwritten', { details: { messageId }, cause: thrown })
  }
}

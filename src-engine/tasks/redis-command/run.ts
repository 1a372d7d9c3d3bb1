/** Sends commands over a connection of the step's own, and hands on what the server answers. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { EffectLeft } from '../deadline.ts'
import { withinDeadline } from '../deadline.ts'
import type { ServerPlace } from '../reachable-host.ts'
import { serverPlace } from '../reachable-host.ts'
import { isReply, openRedis, redisError } from '../redis-connection.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { SentCommand } from './sent-commands.ts'
import { sentCommands } from './sent-commands.ts'
import type { RedisCommandParameters } from './spec.ts'

/** The commands with what they need from outside. */
export function createRedisCommandRun({
  lookup,
}: Pick<TaskPorts, 'lookup'>): TaskRun<RedisCommandParameters> {
  return {
    async execute(parameters, context) {
      const sent = sentCommands(parameters)
      const effect: EffectLeft = { isOpen: false }
      const { timeoutMs } = parameters
      const answers = await withinDeadline({ timeoutMs, effect }, context, async (signal) => {
        const place = await serverPlace(parameters, context, lookup)
        return answered(parameters, { place, signal, effect, sent })
      })
      context.log({ level: 'info', stream: 'task', text: `${answers.length} answered` })
      return completed({ answer: answers[0] ?? null, answers })
    },
  }
}

interface Asking {
  readonly place: ServerPlace
  readonly signal: AbortSignal
  readonly effect: EffectLeft
  readonly sent: readonly SentCommand[]
}

async function answered(parameters: RedisCommandParameters, { place, signal, effect, sent }: Asking) {
  const { client, told } = await openRedis(parameters, place, { name: 'sagasmith-step' })
  const stop = () => client.disconnect()
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect()
    effect.isOpen = true
    const batch = parameters.atomic ? client.multi() : client.pipeline()
    for (const {
      words: [name, ...rest],
    } of sent) {
      batch.call(name, ...rest)
    }
    const results = await batch.exec()
    if (results === null) throw new Error('The transaction was called off')
    const failed = results.find(([error]) => error !== null)?.[0]
    if (failed) throw failed
    effect.isOpen = false
    const told = results.filter((_, index) => sent[index]?.isAsked === true)
    return bounded(told.map(([, value]) => answerOf(value)))
  } catch (thrown) {
    // Who may not come in is told on the side, before the connection is closed.
    const reason = told() ?? thrown
    if (isReply(reason)) effect.isOpen = false
    throw redisError(reason, place.host)
  } finally {
    signal.removeEventListener('abort', stop)
    client.disconnect()
  }
}

function answerOf(value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value)
  if (typeof value === 'bigint') return String(value)
  if (Buffer.isBuffer(value)) return value.toString('utf8')
  if (Array.isArray(value)) return value.map(answerOf)
  // What else there is are errors inside of lists.
  return { error: value instanceof Error ? value.message : 'unknown' }
}

function bounded(answers: readonly JsonValue[]): readonly JsonValue[] {
  if (JSON.stringify(answers).length <= taskOutputBytesMax) return answers
  throw new SagasmithError('task_output_too_large', {
    message: `The answers have more than ${taskOutputBytesMax} bytes.`,
    hint: 'Ask for less at once: SCAN, LRANGE and XRANGE take counts.',
  })
}

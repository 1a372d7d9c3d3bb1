/** Says that the step waits for web calls; the run's record, where early ones lie, decides whether they are there. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { timerAheadMsMax } from '../../model/limits.ts'
import { day, hour, minute, second } from '../../model/time.ts'
import { refuseUnknownWords } from '../data/validate.ts'
import type { TaskRun } from '../task.ts'
import type { WaitWebhookParameters } from './spec.ts'

const unitMs = { milliseconds: 1, seconds: second, minutes: minute, hours: hour, days: day }

export const waitWebhookRun: TaskRun<WaitWebhookParameters> = {
  async execute({ calls, check, schema, onTimeout, amount, unit }, context) {
    const spanMs = Math.ceil(amount * unitMs[unit])
    if (onTimeout !== 'wait' && spanMs > timerAheadMsMax) {
      throw new SagasmithError('task_input_invalid', {
        message: 'The step would wait for more than ten years.',
        details: { field: 'amount' },
      })
    }
    // What would refuse everybody is the step's mistake and not its callers'.
    if (check === 'schema') refuseUnknownWords((schema ?? null) as JsonValue)
    // Nobody could call where nobody listens.
    const url = (await context.callbackUrl?.()) ?? null
    if (url === null)
      throw new SagasmithError('callback_unreachable', { details: { nodeId: context.nodeId } })
    return {
      kind: 'awaits',
      name: '(web call)',
      correlation: null,
      until: onTimeout === 'wait' ? null : context.clock.now() + spanMs,
      onTimeout: onTimeout === 'port' ? 'port' : 'fail',
      output: context.input,
      calls,
    }
  },
}

/** Says which signal to wait for; the run's record, where early ones lie, decides whether it is there. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { timerAheadMsMax } from '../../model/limits.ts'
import { day, hour, minute, second } from '../../model/time.ts'
import { correlationText } from '../correlation-text.ts'
import { refuseUnknownWords } from '../data/validate.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { WaitSignalParameters } from './spec.ts'

const unitMs = { milliseconds: 1, seconds: second, minutes: minute, hours: hour, days: day }

export const waitSignalRun: TaskRun<WaitSignalParameters> = {
  async execute({ name, correlation, count, check, schema, onTimeout, amount, unit }, context) {
    if (context.results !== null) return completed([...context.results], ['out'])
    // What would refuse everybody is the step's mistake and not its senders'.
    if (check === 'schema') refuseUnknownWords((schema ?? null) as JsonValue)
    const spanMs = Math.ceil(amount * unitMs[unit])
    if (onTimeout !== 'wait' && spanMs > timerAheadMsMax) {
      throw new SagasmithError('task_input_invalid', {
        message: 'The step would wait for more than ten years.',
        details: { field: 'amount' },
      })
    }
    return {
      kind: 'awaits',
      name,
      correlation: correlationText(correlation),
      until: onTimeout === 'wait' ? null : context.clock.now() + spanMs,
      onTimeout: onTimeout === 'port' ? 'port' : 'fail',
      output: context.input,
      ...(count === 1 ? {} : { count }),
    }
  },
}

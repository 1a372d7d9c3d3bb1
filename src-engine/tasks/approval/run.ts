/** Says what a person is to be asked, and within which terms; the run's record waits for the answer. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { timerAheadMsMax } from '../../model/limits.ts'
import type { Millis } from '../../model/time.ts'
import { day, hour, minute } from '../../model/time.ts'
import type { TaskRun } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { mailedPeople } from './mailed-people.ts'
import type { ApprovalParameters } from './spec.ts'

const unitMs = { minutes: minute, hours: hour, days: day }

/** The question with what telling people needs from outside. */
export const createApprovalRun = ({
  lookup,
}: Pick<TaskPorts, 'lookup'>): Required<Pick<TaskRun<ApprovalParameters>, 'execute' | 'telling'>> => ({
  telling: {
    whom: mailedPeople,
    // Loaded with the first mail.
    tell: async (parameters, told, context) =>
      (await import('./mail.ts')).mailed({ parameters, told, lookup }, context),
  },
  execute(parameters, context) {
    const { title, message, details, form, approvers, otherPerson, pushBack, onReject, onExpiry } = parameters
    const { amount, unit, escalates, escalateAmount, escalateUnit, escalateTo } = parameters
    const now = context.clock.now()
    const expiresAt = onExpiry === 'wait' ? null : now + spanOf('amount', amount * unitMs[unit])
    const urgentMs = spanOf('escalateAmount', escalateAmount * unitMs[escalateUnit])
    return {
      kind: 'asks',
      shown: { title, message, details: detailsOf(details), form: formOf(form) },
      terms: {
        ...{ approvers, otherPerson, pushBack, onReject, expiresAt, escalateTo },
        onExpiry: onExpiry === 'fail' ? 'fail' : 'reject',
        escalateAt: escalates ? now + urgentMs : null,
        ...(parameters.mails ? { tells: true } : {}),
      },
    }
  },
})

/** An expression's value is JSON by its making; an empty one is none. */
const detailsOf = (details: unknown): JsonValue =>
  details === '' || details === undefined ? null : (details as JsonValue)

function formOf(form: unknown): JsonObject | null {
  if (form === null || form === undefined || form === '') return null
  if (isJsonObject(form)) return form
  throw new SagasmithError('task_input_invalid', {
    message: 'The form of the approval is no JSON Schema.',
    hint: 'Give an object such as { "type": "object", "properties": { … } }, or null for no form.',
    details: { field: 'form' },
  })
}

function spanOf(field: string, span: number): Millis {
  if (span <= timerAheadMsMax) return Math.ceil(span)
  throw new SagasmithError('task_input_invalid', {
    message: 'The step would wait for more than ten years.',
    details: { field },
  })
}

/** Approved at once, with the form's own defaults: nobody is asked in a trial. */

import { isJsonObject } from '../../model/json.ts'
import { validateInput } from '../../model/validate-input.ts'
import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import { mailedPeople } from './mailed-people.ts'
import type { ApprovalParameters } from './spec.ts'

export const approvalMock: TaskMock<ApprovalParameters> = (parameters, context) => {
  const { title, form } = parameters
  sayLeftOut(context, `nobody was asked “${title}”; it is taken as approved.`)
  if (parameters.mails) sayLeftOut(context, `no mail was sent to ${mailedPeople(parameters, 'asked')}.`)
  const values = isJsonObject(form) ? validateInput(form, {}).value : null
  const decision = { decision: 'approved', at: context.clock.now(), by: null, comment: null, values }
  return completed(decision, ['approved'])
}

/** Tells a mail as sent to everybody, and sends none. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { SendMailParameters } from './spec.ts'

export const sendMailMock: TaskMock<SendMailParameters> = ({ to }, context) => {
  const people = typeof to === 'string' ? to.split(',').map((one) => one.trim()) : to
  sayLeftOut(context, `no mail was sent to ${people.join(', ')}.`)
  return completed({ messageId: '', accepted: [...people], rejected: [], response: '' })
}

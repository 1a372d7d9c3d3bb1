/** Shows nobody anything. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { NotifyParameters } from './spec.ts'

export const notifyMock: TaskMock<NotifyParameters> = ({ channel, message }, context) => {
  sayLeftOut(context, `nobody was notified of: ${message}`)
  return completed({ channel: channel.kind })
}

/** Answers nothing, once for each command. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { completed } from '../task.ts'
import type { RedisCommandParameters } from './spec.ts'

export const redisCommandMock: TaskMock<RedisCommandParameters> = ({ commands }, context) => {
  sayLeftOut(context, `${commands.map(({ name }) => name).join(', ')} was not sent.`)
  return completed({ answer: null, answers: commands.map(() => null) })
}

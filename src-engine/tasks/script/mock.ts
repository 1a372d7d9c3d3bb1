/** A script that ends well at once and gives nothing. */

import type { TaskMock } from '../mock.ts'
import { sayLeftOut } from '../mock.ts'
import { takenWays } from '../program-end.ts'
import { completed } from '../task.ts'
import type { ScriptParameters } from './spec.ts'
import { scriptLanguages } from './spec.ts'

export const scriptMock: TaskMock<ScriptParameters> = (parameters, context) => {
  const { language } = parameters
  sayLeftOut(
    context,
    `the ${language === 'other' ? 'script' : `${scriptLanguages[language]} script`} was not run.`,
  )
  return completed(null, takenWays(parameters, 'out'))
}

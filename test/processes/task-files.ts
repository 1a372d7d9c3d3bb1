/** Files of tasks with code, and the step that runs them. */

import type { CodeTask } from '../../src-engine/model/code-task.ts'
import { createCodeDesk } from '../../src-engine/shell/code-task-file.ts'
import { createCodeTaskRun } from '../../src-engine/tasks/code-task/run.ts'
import { createNodeSandboxHost } from '../../src-engine/tasks/javascript/sandbox-host.ts'

export const desk = createCodeDesk()
export const head = `import { defineTask } from 'sagasmith'\n`

/** A file that says the least, with more. */
export const file = (more: string): string =>
  `${head}export default defineTask({ kind: 'acme.charge', version: '1', title: 'Charge', ${more} })`

export const read = (text: string, name = 'charge.task.ts'): Promise<CodeTask> =>
  desk.read(text, `/tasks/${name}`)

export const task = createCodeTaskRun({
  sandbox: createNodeSandboxHost(),
  lookup: () => Promise.reject(new Error('Nobody asks the name service here.')),
})

/** Files of tasks with code, and the step that runs them. */

import type { CodeTask } from '../../src-engine/model/code-task.ts'
import { createCodeDesk } from '../../src-engine/shell/code-task-file.ts'
import { createCodeTaskRun } from '../../src-engine/tasks/code-task/run.ts'
import { createNodeSandboxHost } from '../../src-engine/tasks/javascript/sandbox-host.ts'
import { sandboxHere } from '../support/sandbox-here.ts'

const inProcess = createNodeSandboxHost()

/** For files that end by themselves. */
export const desk = createCodeDesk({ sandbox: sandboxHere })
/** Each file in a process, for what must be ended there. */
export const deskOfProcesses = createCodeDesk({ sandbox: inProcess })

/** What a file may take to say what it is: enough to see that it is ended, and less than the product's two seconds. */
const shortMs = 300

/** The same where it ends sooner. */
export const impatientDesk = createCodeDesk({
  sandbox: {
    start() {
      const process = inProcess.start()
      const sooner = (text: string): string => JSON.stringify({ ...JSON.parse(text), timeoutMs: shortMs })
      return { ...process, send: (text) => process.send(sooner(text)) }
    },
  },
})
export const head = `import { defineTask } from 'sagasmith'\n`

/** A file that says the least, with more. */
export const file = (more: string): string =>
  `${head}export default defineTask({ kind: 'acme.charge', version: '1', title: 'Charge', ${more} })`

export const read = (text: string, name = 'charge.task.ts'): Promise<CodeTask> =>
  desk.read(text, `/tasks/${name}`)

const lookup = () => Promise.reject(new Error('Nobody asks the name service here.'))

export const task = createCodeTaskRun({ sandbox: sandboxHere, lookup })
export const taskInProcess = createCodeTaskRun({ sandbox: inProcess, lookup })

/** The contract of a task with code, tried without touching anything: what its mock gives, and its undo on that. */

import type { CodeTask } from '../model/code-task.ts'
import { recordOfThrown } from '../model/errors.ts'
import { validateInput } from '../model/validate-input.ts'
import type { ContractCheck } from '../protocol/custom-tasks.ts'
import { endingValue } from '../tasks/javascript/ending.ts'
import type { CodeDesk } from './code-task-file.ts'

/** Each part of the contract; what isn't there to be tried fails where a person would miss it. */
export async function testContract(task: CodeTask, desk: CodeDesk): Promise<readonly ContractCheck[]> {
  const { face, mock } = task
  if (mock === undefined) {
    const message = 'The file has no mock: add what the task gives where nothing outside may be touched.'
    return [{ what: 'mock', isPassed: false, message }]
  }
  const checks: ContractCheck[] = [{ what: 'mock', isPassed: true, message: shown(mock) }]
  if (face.output !== null) {
    const problems = validateInput(face.output, mock).problems.map(({ message }) => message)
    checks.push({ what: 'output', isPassed: problems.length === 0, message: problems.join(' ') })
  }
  if (face.hasUndo) checks.push(await undoCheck(task, desk))
  return checks
}

async function undoCheck(task: CodeTask, desk: CodeDesk): Promise<ContractCheck> {
  const { timeoutMs, memoryMb } = task.face
  try {
    const { ending } = await desk.tryUndo(task)
    const value = endingValue(ending, { timeoutMs, memoryMb })
    return { what: 'compensate', isPassed: true, message: shown(value) }
  } catch (thrown) {
    return { what: 'compensate', isPassed: false, message: recordOfThrown(thrown).message }
  }
}

const shownCharsMax = 200

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)} …` : text
}

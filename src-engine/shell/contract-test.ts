/** The contract of a task with code, tried without touching anything: what its mock gives, and its undo on that. */

import type { CodeTask } from '../model/code-task.ts'
import { recordOfThrown } from '../model/errors.ts'
import type { JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { validateInput } from '../model/validate-input.ts'
import type { ContractCheck } from '../protocol/custom-tasks.ts'
import { endingValue } from '../tasks/javascript/ending.ts'
import { parseJson } from '../tasks/json-text.ts'
import type { CodeDesk } from './code-task-file.ts'
import { trialKey } from './code-task-file.ts'

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
  if (face.hasUndo) checks.push(...(await undoChecks(task, desk)))
  return checks
}

/** That it ends well, and, where it sends anything, that it may be killed at any request and run again. */
async function undoChecks(task: CodeTask, desk: CodeDesk): Promise<readonly ContractCheck[]> {
  const sent: string[] = []
  const first = await tried(task, desk, {
    attempt: 1,
    answer: (request) => {
      sent.push(request)
      return answerOf(200)
    },
  })
  const checks = [{ what: 'compensate', isPassed: first.isDone, message: first.message }] as const
  if (!first.isDone || sent.length === 0) return checks
  return [...checks, await killCheck(task, desk, sent)]
}

/** A crawl needn't be killed everywhere. */
const killsMax = 5

async function killCheck(task: CodeTask, desk: CodeDesk, sent: readonly string[]): Promise<ContractCheck> {
  const unkeyed = sent.find((request) => methodOf(request) === 'POST' && !request.includes(trialKey))
  if (unkeyed !== undefined) {
    const message = `${named(unkeyed)} goes without the idempotency key: killed after it, it would be done twice.`
    return { what: 'killed', isPassed: false, message }
  }
  const kills = Math.min(sent.length, killsMax)
  for (let count = 1; count <= kills; count += 1) {
    const why = await killedAt(task, desk, count)
    if (why !== null) {
      const at = named(sent[count - 1] ?? '')
      return { what: 'killed', isPassed: false, message: `Killed at ${at} and run again: ${why}` }
    }
  }
  const message = kills === 1 ? 'At its one request.' : `At each of ${kills} requests.`
  return { what: 'killed', isPassed: true, message }
}

/** Kills it once so many requests were sent, and runs it again; why that isn't the same as once, null where it is. */
async function killedAt(task: CodeTask, desk: CodeDesk, count: number): Promise<string | null> {
  const before: string[] = []
  await tried(task, desk, {
    attempt: 1,
    answer: (request) => {
      before.push(request)
      return before.length < count ? answerOf(200) : null
    },
  })
  const again: string[] = []
  const second = await tried(task, desk, {
    attempt: 2,
    answer: (request) => {
      again.push(request)
      // What was deleted is gone.
      return answerOf(methodOf(request) === 'DELETE' && before.includes(request) ? 404 : 200)
    },
  })
  if (!second.isDone) return second.message
  const other = again.slice(0, before.length).find((request, at) => request !== before[at])
  return other === undefined
    ? null
    : `it sent ${named(other)} otherwise than before, so nobody can tell that it is the same.`
}

interface Tried {
  readonly isDone: boolean
  readonly message: string
}

async function tried(
  task: CodeTask,
  desk: CodeDesk,
  trial: Parameters<CodeDesk['tryUndo']>[1],
): Promise<Tried> {
  const { timeoutMs, memoryMb } = task.face
  try {
    const { ending } = await desk.tryUndo(task, trial)
    return { isDone: true, message: shown(endingValue(ending, { timeoutMs, memoryMb })) }
  } catch (thrown) {
    return { isDone: false, message: recordOfThrown(thrown).message }
  }
}

const answerOf = (status: number): string => JSON.stringify({ status, headers: {}, body: null })

function requestOf(text: string): Readonly<Record<string, JsonValue>> {
  const read = parseJson(text)
  return read.ok && isJsonObject(read.value) ? read.value : {}
}

const textIn = (value: JsonValue | undefined, usual: string): string =>
  typeof value === 'string' ? value : usual

const methodOf = (text: string): string => textIn(requestOf(text)['method'], 'GET')

const named = (text: string): string => `${methodOf(text)} ${textIn(requestOf(text)['url'], '')}`

const shownCharsMax = 200

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)} …` : text
}

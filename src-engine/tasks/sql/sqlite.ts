/** SQLite: in a process of its own, which is ended when the step is. */

import { errorOfRecord, SagasmithError } from '../../model/errors.ts'
import type { GuardedHost, GuardedProcess } from '../guarded-process.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext } from '../task.ts'
import type { SqliteMessage, SqliteRequest } from './sqlite-message.ts'
import { startMsMax } from './sqlite-message.ts'
import type { SqlCall, SqlResult } from './work.ts'

/** Does the work in a process that is used once. */
export async function workOnSqlite(
  host: GuardedHost,
  request: SqliteRequest,
  call: SqlCall & Pick<TaskContext, 'clock'>,
): Promise<readonly SqlResult[]> {
  const child = host.start()
  try {
    const ending = await answered(child, request, call)
    if (ending?.kind === 'done') return ending.results
    if (ending?.kind === 'failed') {
      call.effect.isOpen = false
      throw errorOfRecord(ending.error)
    }
    throw new SagasmithError('sql_failed', {
      message: `“${request.path}”: the process that had it open ended before its work did.`,
      hint: 'Ask for fewer rows at once; it most likely had too little memory.',
      details: { path: request.path },
    })
  } finally {
    child.kill()
  }
}

type Ending = Extract<SqliteMessage, { kind: 'done' | 'failed' }>

/** How it ended; null when the process is gone, or had to go. */
function answered(
  child: GuardedProcess,
  request: SqliteRequest,
  { signal, effect, clock }: SqlCall & Pick<TaskContext, 'clock'>,
): Promise<Ending | null> {
  return new Promise((resolve) => {
    const stop = (ending: Ending | null) => {
      cancelStart()
      signal.removeEventListener('abort', abort)
      child.kill()
      resolve(ending)
    }
    const abort = () => stop(null)
    const cancelStart = clock.after(startMsMax, abort)
    signal.addEventListener('abort', abort, { once: true })
    child.onExit(abort)
    child.onText((text) => {
      const message = messageOf(text)
      if (message === null) return
      if (message.kind === 'ready') {
        cancelStart()
        child.send(JSON.stringify(request))
      } else if (message.kind === 'committing') effect.isOpen = true
      else stop(message)
    })
    if (signal.aborted) abort()
  })
}

/** Our own process writes these. */
function messageOf(text: string): SqliteMessage | null {
  const message = parseJson(text)
  if (!message.ok || typeof message.value !== 'object' || message.value === null) return null
  return 'kind' in message.value ? (message.value as unknown as SqliteMessage) : null
}

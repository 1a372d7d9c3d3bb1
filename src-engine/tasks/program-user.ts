/** The user that a program of this machine runs as, where it is to be another than the engine's own. */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { SagasmithError } from '../model/errors.ts'

/** Who a program is started as. */
export interface ProgramUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
  /** Its home folder; null where nobody tells. */
  readonly home: string | null
}

/** What of a machine decides about it. */
export interface UserHost {
  readonly platform: string
  /** The engine's own; null where there are no numbers. */
  readonly uid: number | null
  /** Null for a name that nobody has. */
  readonly find: (name: string) => Promise<ProgramUser | null>
}

const run = promisify(execFile)

const thisHost: UserHost = {
  platform: process.platform,
  uid: process.getuid?.() ?? null,
  async find(name) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', '--', name]), run('id', ['-g', '--', name])])
      return { name, uid: Number(uid.stdout), gid: Number(gid.stdout), home: await homeOf(name) }
    } catch {
      // Its words differ from system to system; that it fails doesn't.
      return null
    }
  },
}

async function homeOf(name: string): Promise<string | null> {
  const lines = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const fields = lines.split('\n').map((line) => line.split(':'))
  return fields.find(([login, , uid]) => login === name || uid === name)?.[5] ?? null
}

/**
 * The user of that name or number; null for the engine's own. Throws `user_switch_denied` where the system lets nobody
 * be another, and `task_input_invalid` for a user that there isn't.
 */
export async function programUser(name: string, host: UserHost = thisHost): Promise<ProgramUser | null> {
  if (name === '') return null
  if (host.platform === 'win32' || host.uid === null) {
    throw denied(name, 'On Windows a step can’t start a program as somebody else.')
  }
  const found = await host.find(name)
  if (found === null) {
    throw new SagasmithError('task_input_invalid', {
      message: `There is no user “${name}” on this machine.`,
      hint: 'Correct the name, or have the step run by a runner of a machine that has this user.',
      details: { field: 'asUser', user: name },
    })
  }
  if (found.uid === host.uid) return null
  if (host.uid !== 0) {
    throw denied(name, 'The engine doesn’t run as root, so it can start programs as its own user only.')
  }
  return found
}

const denied = (user: string, why: string): SagasmithError =>
  new SagasmithError('user_switch_denied', {
    message: `The program can’t run as “${user}”. ${why}`,
    details: { user },
  })

/** What a program finds of its user in its environment. */
export const userVariables = ({ name, home }: ProgramUser): Readonly<Record<string, string>> => ({
  USER: name,
  LOGNAME: name,
  ...(home === null ? {} : { HOME: home }),
})

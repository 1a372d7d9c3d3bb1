/** Finds a program as the system would when it starts it. */

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

interface Where {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
}

/** The path of a program by its name, on the PATH of its environment, or by its path; null where there is none. */
export async function foundProgram(name: string, { env, cwd }: Where): Promise<string | null> {
  const isPath = /[\\/]/.test(name)
  // A relative folder on the PATH is that of who looks, and nobody means the engine's.
  const folders = isPath ? [''] : (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  const endings = process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.EXE').split(';')] : ['']
  for (const folder of folders) {
    for (const ending of endings) {
      const path = isPath ? resolve(cwd ?? '.', `${name}${ending}`) : join(folder, `${name}${ending}`)
      if (await isProgram(path)) return path
    }
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    // Not there, or not to be run: the next place may have it.
    return false
  }
}

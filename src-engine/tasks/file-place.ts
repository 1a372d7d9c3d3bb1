/**
 * Where on the disk a step may work: inside the folders that the document names, if it names any; and never
 * where a file would be executed, or would let somebody in, by being there.
 */

import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { SagasmithError } from '../model/errors.ts'
import type { TaskContext } from './task.ts'
import { workflowPath } from './workflow-path.ts'

type Place = Pick<TaskContext, 'baseDirectory' | 'approvedFolders'>

/** Below the home folder: keys, and what shells and desktops run by themselves. */
const homeGuarded = [
  ...['.ssh', '.gnupg', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc'],
  ...['.zshenv', '.zprofile', '.zlogin', '.config/fish', '.config/autostart', '.config/systemd'],
  ...['.config/environment.d', '.local/share/applications', 'Library/LaunchAgents', '.npmrc', '.gitconfig'],
  'AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup',
]
/** Anywhere: what git runs or is told to run. */
const gitGuarded = /(^|[\\/])\.git[\\/](hooks([\\/]|$)|config$)/i

/**
 * The real path of a parameter, links followed as far as there are any. Throws `file_place_denied` for a
 * place outside of the approved folders and, for `write`, for a guarded one.
 */
export async function filePlace(path: string, context: Place, access: 'read' | 'write'): Promise<string> {
  const real = await realPlace(workflowPath(path, context.baseDirectory))
  await refuseOutside(real, path, context)
  if (access === 'write' && (await isGuarded(real))) {
    throw new SagasmithError('file_place_denied', {
      message: `“${path}” may not be written by a step: programs would run what is there, or trust it.`,
      hint: 'Write it to another place, and move it there yourself.',
      details: { path },
    })
  }
  return real
}

/** Links of the part that exists are followed; the rest is added as it stands. */
export async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(await realPlace(parent), basename(path))
  }
}

/** Whether a path is that folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !way.includes(':'))
}

async function refuseOutside(real: string, path: string, context: Place): Promise<void> {
  const { approvedFolders = null, baseDirectory } = context
  if (approvedFolders === null) return
  for (const folder of approvedFolders) {
    if (isWithin(real, await realPlace(workflowPath(folder, baseDirectory)))) return
  }
  throw new SagasmithError('file_place_denied', {
    message: `“${path}” is outside of the folders that this workflow may use.`,
    hint: 'If it should, add the folder to the paths in the workflow’s capability list.',
    details: { path, approved: [...approvedFolders] },
  })
}

async function isGuarded(real: string): Promise<boolean> {
  if (gitGuarded.test(real)) return true
  const home = await realPlace(homedir())
  return homeGuarded.some((name) => isWithin(real, join(home, ...name.split('/'))))
}

/**
 * What a program of this machine may use, enforced by the system: a shell sets the limits and becomes the program. What
 * the program starts inherits them; they count for each process by itself, but for the number of processes
 * (`process-count.ts`).
 */

import { SagasmithError } from '../model/errors.ts'
import { foundProgram } from './find-program.ts'

/** 0 for no limit. */
export interface ProgramLimits {
  readonly cpuSeconds: number
  readonly memoryMb: number
  /** Of the program and all that it starts, at once. */
  readonly processesMax: number
}

/** Limits of each process by itself, and the group that counts them all. */
interface OwnLimits extends Omit<ProgramLimits, 'processesMax'> {
  /** What the shell writes itself into; null for a program that nobody counts. */
  readonly procs: string | null
}

interface Command {
  readonly file: string
  readonly arguments: readonly string[]
}

/** At the soft limit of time a program gets a signal that says why; a second later there is no way around it. */
const script = `test "$1" = 0 || { ulimit -S -t "$1" && ulimit -H -t $(($1 + 1)); } || exit 126
test "$2" = 0 || ulimit -v "$2" || exit 126
test -z "$3" || echo $$ > "$3" || exit 126
shift 3
exec "$@"`

/**
 * The command within the limits. Throws `program_limits_unsupported` where the system has none, and `command_not_found`
 * for a program that isn't there: the shell would only say so with a code that might be the program's own.
 */
export async function limitedCommand(
  command: Command & { readonly env: Readonly<Record<string, string>>; readonly cwd: string | undefined },
  { cpuSeconds, memoryMb, procs }: OwnLimits,
  platform: string = process.platform,
): Promise<Command> {
  if (cpuSeconds === 0 && memoryMb === 0 && procs === null) return command
  if (platform === 'win32' || (platform === 'darwin' && memoryMb > 0)) {
    const what = platform === 'win32' ? 'Windows has no such limits' : 'macOS has no limit of memory'
    throw new SagasmithError('program_limits_unsupported', {
      message: `The program was not started: ${what} for a step to set.`,
      details: { platform, cpuSeconds, memoryMb },
    })
  }
  const file = await foundProgram(command.file, command)
  if (file === null) {
    throw new SagasmithError('command_not_found', {
      message: `The program “${command.file}” was not found.`,
      details: { program: command.file, reason: 'ENOENT' },
    })
  }
  const limits = [String(cpuSeconds), String(memoryMb * 1_024), procs ?? '']
  return { file: '/bin/sh', arguments: ['-c', script, 'sh', ...limits, file, ...command.arguments] }
}

/** The command line of a container engine. Data is never more than the value of one of its words. */

import type { DockerRunParameters } from './spec.ts'

/** What is mounted where, checked. */
export interface Mounted {
  readonly source: string
  readonly target: string
  readonly isWritable: boolean
}

/** Fields of a mount are read as a line of CSV. */
const csvField = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The words after the engine's name. Variables are named, and their values taken from the engine's environment. */
export function runWords(
  parameters: DockerRunParameters,
  given: {
    readonly name: string
    readonly mounts: readonly Mounted[]
    readonly variables: readonly string[]
    readonly hasInput: boolean
  },
): readonly string[] {
  const { image, command, network, memoryMb, cpus, processes, pull, cwd, user } = parameters
  return [
    'run',
    '--rm',
    '--init',
    `--name=${given.name}`,
    `--pull=${pull}`,
    `--network=${network}`,
    `--memory=${memoryMb}m`,
    // No more beside it on the disk.
    `--memory-swap=${memoryMb}m`,
    `--cpus=${cpus}`,
    `--pids-limit=${processes}`,
    '--security-opt=no-new-privileges',
    ...(given.hasInput ? ['--interactive'] : []),
    ...(cwd === '' ? [] : [`--workdir=${cwd}`]),
    ...(user === '' ? [] : [`--user=${user}`]),
    ...given.mounts.map(mountWord),
    ...given.variables.map((name) => `--env=${name}`),
    image,
    ...command.map(String),
  ]
}

function mountWord({ source, target, isWritable }: Mounted): string {
  const fields = ['type=bind', `source=${source}`, `target=${target}`, ...(isWritable ? [] : ['readonly'])]
  return `--mount=${fields.map(csvField).join(',')}`
}

/** Runs a container by the command line of its engine, and leaves none behind. */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'
import { throwIfAborted } from '../abort.ts'
import { filePlace } from '../file-place.ts'
import { exists } from '../files/kept.ts'
import { plainText } from '../json-text.ts'
import type { LocalProgram, RanProgram } from '../local-program.ts'
import { attemptVariables, programEnvironment, ranProgram, refuseNul, variablesOf } from '../local-program.ts'
import { programOutcome } from '../program-end.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { tellable } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { Mounted } from './command-line.ts'
import { runWords } from './command-line.ts'
import type { DockerRunParameters } from './spec.ts'

/** By which the engines' command lines find their engine. */
const enginesVariables = [
  ...['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY'],
  ...['CONTAINER_HOST', 'CONTAINERS_CONF', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME'],
]

/** What the engine's command line ends with when the container never began. */
const notBegun = 125

/** The container's run with what it needs from outside. */
export function createDockerRun(
  ports: Pick<TaskPorts, 'environment' | 'evaluate'>,
): TaskRun<DockerRunParameters> {
  return {
    async execute(parameters, context) {
      const mounts = await mountsOf(parameters, context)
      const own = { ...attemptVariables(context), ...variablesOf({ ...parameters.env, ...context.env }) }
      const engine = engineOf(parameters, ports, context)
      const name = nameOf(context)
      // What an attempt left whose runner died still runs, maybe.
      if (context.attempt > 1) await removed(engine, name)
      throwIfAborted(context.signal)
      const stdin = plainText(parameters.stdin)
      const words = runWords(parameters, {
        name,
        mounts,
        variables: Object.keys(own),
        hasInput: stdin !== '',
      })
      refuseNul(words)
      const program = { ...engine, arguments: words, env: { ...engine.env, ...own } }
      const ran = await ranToEnd(
        program,
        { name, engine, stdin, bytesMax: parameters.maxOutputBytes },
        context,
      )
      throwIfAborted(context.signal)
      if (ran.ending.code === notBegun) throw neverBegan(parameters, ran, context)
      const ended = { title: `“${parameters.image}”`, ...ran, details: { image: parameters.image } }
      return programOutcome(ended, parameters, { context, evaluate: ports.evaluate })
    },
  }
}

/** The same in every attempt of a step, so that the next one finds what was left. */
const nameOf = ({ idempotencyKey }: TaskContext): string =>
  `sagasmith-${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 24)}`

const engineOf = (
  { engine }: DockerRunParameters,
  { environment }: Pick<TaskPorts, 'environment'>,
  context: TaskContext,
): LocalProgram => ({
  title: engine,
  file: engine,
  arguments: [],
  cwd: undefined,
  env: programEnvironment(environment, context, enginesVariables),
  verbatim: false,
})

/** Real paths, of what is there: an engine would make a folder of what isn't, owned by root. */
async function mountsOf({ mounts }: DockerRunParameters, context: TaskContext): Promise<readonly Mounted[]> {
  return Promise.all(
    mounts.map(async ({ source, target, isWritable }) => {
      const place = await filePlace(source, context, isWritable ? 'write' : 'read')
      if (await exists(place)) return { source: place, target, isWritable }
      throw new SagasmithError('file_not_found', {
        message: `“${source}” is not there, so no container can see it.`,
        details: { path: source },
      })
    }),
  )
}

interface Container {
  readonly name: string
  readonly engine: LocalProgram
  readonly stdin: string
  readonly bytesMax: number
}

/** Whoever is ended before the container takes that with it: its command line may be gone before. */
async function ranToEnd(
  program: LocalProgram,
  container: Container,
  context: TaskContext,
): Promise<RanProgram> {
  const { name, engine, stdin, bytesMax } = container
  let isOver = false
  try {
    const ran = await ranProgram(program, { stdin, bytesMax }, context)
    isOver = ran.ending.signal === null && !context.signal.aborted
    return ran
  } finally {
    if (!isOver) await removed(engine, name)
  }
}

/** Ends and removes the container of that name, if there is one. */
function removed(engine: LocalProgram, name: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(engine.file, ['rm', '--force', name], {
      env: engine.env,
      stdio: 'ignore',
      windowsHide: true,
    })
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
}

function neverBegan({ image, engine }: DockerRunParameters, { stderr }: RanProgram, context: TaskContext) {
  const told = tellable(context, stderr)
  const lastLine =
    told
      .trim()
      .split('\n')
      .find((line) => line.trim() !== '') ?? ''
  return new SagasmithError('container_not_started', {
    message: `No container of “${image}” could be started${lastLine === '' ? '.' : `: ${lastLine.slice(0, 300)}`}`,
    details: { image, engine, stderr: told.slice(-2_000) },
  })
}

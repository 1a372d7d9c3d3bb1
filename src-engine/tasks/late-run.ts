/** Kinds whose code is loaded when the first step of them runs: an engine without such steps never pays for it. */

import { throwIfAborted } from './abort.ts'
import type { ProbingRun, TaskContext, TaskRun } from './task.ts'

/** A run of that kind that is loaded with its first step. For kinds that work in promises anyway. */
export function lateRun<Parameters>(load: () => Promise<TaskRun<Parameters>>): TaskRun<Parameters> {
  const run = onceLoaded(load)
  return {
    execute(parameters, context) {
      const known = run(context)
      return known instanceof Promise
        ? known.then((loaded) => loaded.execute(parameters, context))
        : known.execute(parameters, context)
    },
  }
}

/** As `lateRun`, for a kind that can find out whether a step had its effect. */
export function lateProbingRun<Parameters>(
  load: () => Promise<ProbingRun<Parameters>>,
): ProbingRun<Parameters> {
  const run = onceLoaded(load)
  return {
    execute: async (parameters, context) => (await run(context)).execute(parameters, context),
    probe: async (parameters, context) => (await run(context)).probe(parameters, context),
  }
}

/** One for all steps, however many come while it is loaded: some kinds keep what a step has got for the next. */
function onceLoaded<Run>(load: () => Promise<Run>): (context: TaskContext) => Run | Promise<Run> {
  let loaded: Run | null = null
  let loading: Promise<Run> | null = null
  const begun = async (): Promise<Run> => {
    try {
      loaded = await load()
      return loaded
    } finally {
      loading = null
    }
  }
  const whenLoaded = async (context: TaskContext): Promise<Run> => {
    loading ??= begun()
    const run = await loading
    // Who was asked to stop meanwhile doesn't begin: not every kind looks for what was said before it listened.
    throwIfAborted(context.signal)
    return run
  }
  return (context) => loaded ?? whenLoaded(context)
}

/** The tests beside workflow files: listed, played, made of runs, brought up to date. */

import { dirname } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowTestApi } from '../../protocol/workflow-tests.ts'
import { createPayloadStore } from '../../runtime/payload-store.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `tests.*`. */
export function workflowTestHandlers({
  engine,
  library,
  validate,
  customTasks,
  packages,
}: Pick<HandlerDeps, 'engine' | 'library' | 'validate' | 'customTasks' | 'packages'>): Handlers<
  keyof WorkflowTestApi
> {
  // Most engines are never asked for one.
  const loaded = () => import('../workflow-tests.ts')
  const fileOf = async ({ path, document }: { readonly path: string; readonly document: JsonObject }) => {
    await customTasks.look()
    if (validate(document).hash === null) throw new SagasmithError('document_invalid')
    const real = await library.place(path)
    // It was checked just now.
    const written = await customTasks.writeOut(document as unknown as WorkflowDocument)
    return { path: real, document: written, baseDirectory: dirname(real), customTasks, packages }
  }
  return {
    'tests.list': async ({ path }) => {
      const { readWorkflowTests } = await loaded()
      const tests = await readWorkflowTests(await library.place(path))
      return {
        tests: tests.map(({ name, at, expected }) => ({
          name,
          at,
          status: expected.status,
          steps: Object.keys(expected.steps).length,
        })),
      }
    },
    'tests.run': async ({ name, ...given }) => {
      const { runWorkflowTests } = await loaded()
      return { results: await runWorkflowTests(await fileOf(given), name) }
    },
    'tests.record': async ({ name, runId, accept, ...given }) => {
      const { recordWorkflowTest } = await loaded()
      const { run, invocations } = await engine.snapshot(runId)
      const payloads = createPayloadStore(engine.store)
      const value = (payload: Payload): JsonValue | Promise<JsonValue> => payloads.value(payload)
      const ended = { run, invocations, value }
      const { recorded, kept } = await recordWorkflowTest(await fileOf(given), { ended, name, accept })
      return { volatile: recorded.volatile, differences: recorded.differences, kept }
    },
    'tests.update': async ({ name, ...given }) => {
      const { updateWorkflowTests } = await loaded()
      return { results: await updateWorkflowTests(await fileOf(given), name) }
    },
    'tests.remove': async ({ path, name }) => {
      const { removeWorkflowTest } = await loaded()
      await removeWorkflowTest(await library.place(path), name)
      return {}
    },
  }
}

/** Checking documents and reading published versions. */

import type { JsonObject } from '../../model/json.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

type WorkflowMethods =
  | 'workflows.validate'
  | 'workflows.version'
  | 'workflows.versions'
  | 'workflows.preview'
  | 'workflows.publish'
  | 'workflows.sign'

/** Handlers of `workflows.*`. */
export const workflowHandlers = (deps: HandlerDeps): Handlers<WorkflowMethods> => ({
  'workflows.validate': async ({ document }) => {
    // A vault that can't be read says so where secrets are listed.
    await deps.customTasks.look()
    const secrets = await deps.vault.list().catch(() => undefined)
    return deps.validate(document, secrets)
  },
  // The engine validates a document before it does anything with it.
  'workflows.preview': ({ document, ...rest }) =>
    deps.engine.publishing.preview({ ...rest, document: document as unknown as WorkflowDocument }),
  'workflows.publish': ({ document, ...rest }) =>
    deps.engine.publishing.publish({ ...rest, document: document as unknown as WorkflowDocument }),
  'workflows.sign': async ({ hash, signature }) => {
    await deps.engine.publishing.sign(hash, signature)
    return { hash }
  },
  'workflows.versions': async ({ workflowId, limit }) => {
    const { store } = deps.engine
    const request = { filter: { workflowId }, page: { after: null, limit } }
    const versions = await store.list(store.info.partitions[0] ?? 0, 'workflowVersions', request)
    return { versions: versions.map(({ hash, title, publishedAt }) => ({ hash, title, publishedAt })) }
  },
  'workflows.version': async ({ hash }) => {
    const version = await deps.engine.version(hash)
    // A published version is a document that passed validation.
    return { document: JSON.parse(version.document) as JsonObject, publishedAt: version.publishedAt }
  },
})

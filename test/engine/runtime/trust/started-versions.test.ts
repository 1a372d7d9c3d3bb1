/** What a workflow can start is found through every depth, and only as its hash says. */

import { expect, test } from 'vitest'
import { definitionHashOf } from '../../../../src-engine/model/definition-hash.ts'
import type { DefinitionHash } from '../../../../src-engine/model/ids.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { WorkflowVersion } from '../../../../src-engine/model/workflow-version.ts'
import { versionOf } from '../../../../src-engine/runtime/published-version.ts'
import { startedVersions } from '../../../../src-engine/runtime/trust/started-versions.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'

const documentOf = (id: string, ...starts: readonly DefinitionHash[]): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: id,
    nodes: Object.fromEntries(
      starts.map((version, index) => [
        `call${index}`,
        { kind: 'sub-workflow', parameters: { workflow: 'any', version } },
      ]),
    ),
    edges: {},
  }) as unknown as WorkflowDocument
const published = (document: WorkflowDocument): WorkflowVersion =>
  versionOf(document, definitionHashOf(document, taskSpecsByKind), 0)
const finding = (...versions: readonly WorkflowVersion[]) => ({
  specsByKind: taskSpecsByKind,
  definitions: {
    version: async (wanted: DefinitionHash): Promise<WorkflowVersion> => {
      const found = versions.find(({ hash }) => hash === wanted)
      if (found === undefined) throw new Error(`${wanted} is not published`)
      return found
    },
  },
})

const leaf = published(documentOf('leaf'))
const middle = published(documentOf('middle', leaf.hash))

test('each version once, from the store and from what is about to be published', async () => {
  const top = documentOf('top', middle.hash, leaf.hash)
  expect(await startedVersions(finding(leaf), top, [middle])).toEqual([leaf.hash, middle.hash].sort())
  expect(await startedVersions(finding(), documentOf('alone'), [])).toEqual([])
})

test('a version that was changed in the store vouches for nothing that it names [C3]', async () => {
  const evil = published(documentOf('evil'))
  const altered = { ...middle, document: JSON.stringify(documentOf('middle', evil.hash)) }
  await expect(
    startedVersions(finding(altered, evil, leaf), documentOf('top', middle.hash), []),
  ).rejects.toMatchObject({ code: 'definition_altered' })
})

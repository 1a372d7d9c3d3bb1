/** What a push of a workflow means there beyond itself: the workflows that its steps start, at every depth. */

import type { NodeId } from '../model/ids.ts'
import type { RunnerRecord } from '../model/runner.ts'
import { secretUses } from '../model/secret-uses.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { MissingKind, PushPreview, SecretStanding } from '../protocol/push.ts'
import { secretStandings } from './secret-standings.ts'

/** A workflow of the push; the first one is what is pushed. */
export type PushedWorkflows = readonly [WorkflowDocument, ...(readonly WorkflowDocument[])]

/** The kinds that none of the runners can do, by kind and workflow; those of compensations too. */
export function missingKindsOf(
  documents: PushedWorkflows,
  living: readonly RunnerRecord[],
): readonly MissingKind[] {
  const able = new Set(living.flatMap(({ capabilities }) => capabilities))
  return documents.flatMap((document, index) => {
    const needs = Object.entries(document.nodes).flatMap(([id, { kind, disabled, compensation }]) => {
      if (disabled === true) return []
      const kinds = new Set([kind, compensation?.task?.kind ?? kind])
      // Keys of `nodes` are node ids.
      return [...kinds].filter((one) => !able.has(one)).map((one) => ({ kind: one, node: id as NodeId }))
    })
    return [...Map.groupBy(needs, ({ kind }) => kind)].map(([kind, items]) => ({
      kind,
      workflow: nameOf(document, index),
      nodes: items.map(({ node }) => node),
    }))
  })
}

/** The secrets that any of the workflows names, and how the runners stand to them. */
export function secretsOf(
  documents: PushedWorkflows,
  living: readonly RunnerRecord[],
): Pick<PushPreview, 'secrets' | 'secretStandings'> {
  const names = documents.flatMap((document) => secretUses(document).map(({ name }) => name))
  return {
    secrets: [...new Set(names)].sort(),
    secretStandings: documents.flatMap((document, index) =>
      secretStandings(document, living).map(
        (standing): SecretStanding => ({ ...standing, workflow: nameOf(document, index) }),
      ),
    ),
  }
}

const nameOf = ({ title, id }: WorkflowDocument, index: number): string | null =>
  index === 0 ? null : title === '' ? id : title

/** What is wrong beside the open document, as it is by now. */

import { useMemo } from 'react'
import { useStore } from 'zustand'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { useDesigner, useDocument, useTriggers } from '../../state/context.ts'
import type { ProblemAround } from './problems-around.ts'
import { problemsAround } from './problems-around.ts'

const noTriggers = {}
const titleOf = (kind: string): string => triggerSpecsByKind.get(kind)?.title ?? kind

export function useProblemsAround(): readonly ProblemAround[] {
  const designer = useDesigner()
  const files = useStore(designer.customTasks, ({ folder }) => folder.problems)
  const { id, triggers = noTriggers } = useDocument((state) => state.history.document)
  // Of another workflow, while a run of it is shown, is what is known then.
  const views = useTriggers((state) => (state.workflowId === id ? state.views : null))
  return useMemo(() => problemsAround({ files, triggers, views, titleOf }), [files, triggers, views])
}

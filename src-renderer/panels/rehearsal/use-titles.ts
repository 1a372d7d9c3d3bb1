/** The names of steps as a list, from the workflow as it was rehearsed. */

import { useCallback } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { useDesigner } from '../../state/context.ts'
import { titleOfStep } from '../../state/step-title.ts'

/** Gives titles, separated by commas. */
export function useTitles({ nodes }: WorkflowDocument): (ids: readonly NodeId[]) => string {
  const { specs } = useDesigner()
  return useCallback((ids) => ids.map((id) => titleOfStep({ nodes }, specs, id)).join(', '), [nodes, specs])
}

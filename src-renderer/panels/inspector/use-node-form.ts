/** What the widgets of a node's form know of it. */

import { useMemo } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { beginCurl } from '../../curl/paste-curl.ts'
import type { FormContext } from '../../forms/form-context.ts'
import { useDesigner, useDocument } from '../../state/context.ts'

/** The context of a form about that node. */
export function useNodeForm(id: NodeId, isReadOnly: boolean): FormContext {
  const designer = useDesigner()
  const all = useDocument((state) => state.problems)
  return useMemo(
    () => ({
      nodeId: id,
      isReadOnly,
      problems: isReadOnly ? [] : all.filter((problem) => problem.nodeId === id),
      onPaste: (path, text) => path === 'parameters.url' && beginCurl(designer, text, id),
      onLeave: () => designer.document.getState().endGesture(),
    }),
    [designer, id, isReadOnly, all],
  )
}

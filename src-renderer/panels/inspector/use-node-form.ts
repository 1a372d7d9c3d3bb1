/** What the widgets of a node's form know of it. */

import { useMemo } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { beginCurl } from '../../curl/paste-curl.ts'
import type { FormContext } from '../../forms/form-context.ts'
import { useDesigner, useDocument, useView } from '../../state/context.ts'
import { toldInForm } from '../../state/fresh.ts'

/** The context of a form about that node. */
export function useNodeForm(id: NodeId, isReadOnly: boolean): FormContext {
  const designer = useDesigner()
  const all = useDocument((state) => state.problems)
  const fresh = useView((state) => (state.fresh === id ? id : null))
  const touched = useView((state) => state.touched)
  return useMemo(
    () => ({
      nodeId: id,
      isReadOnly,
      problems: isReadOnly
        ? []
        : toldInForm(
            { fresh, touched },
            id,
            all.filter((problem) => problem.nodeId === id),
          ),
      onPaste: (path, text) => path === 'parameters.url' && beginCurl(designer, text, id),
      onTouch: (field) => designer.view.getState().touchField({ nodeId: id, field }),
      onLeave: () => designer.document.getState().endGesture(),
    }),
    [designer, id, isReadOnly, all, fresh, touched],
  )
}

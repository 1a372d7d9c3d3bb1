/** How wide the inspector is, and whether it shows a step's input and output beside its settings. */

import { useView } from '../../state/context.ts'

/** Only one step has the three; everything else stays narrow. */
export function useInspectorWidth(): { readonly width: number; readonly isWide: boolean } {
  const { inspectorWidth, inspectorWideWidth, isInspectorWide, isInspectorOpen } = useView(
    ({ panels }) => panels,
  )
  const isOneNode = useView(({ selection }) => selection.nodes.length === 1)
  const isWide = isInspectorWide && isInspectorOpen && isOneNode
  return { width: isWide ? inspectorWideWidth : inspectorWidth, isWide }
}

/** What is about the shown run asks where that run is. */

import type { ReactNode } from 'react'
import { LineContext, useDesigner, useRuns } from '../state/context.ts'
import { lineTo } from '../state/site-lines.ts'

export function RunLine({ children }: { readonly children: ReactNode }) {
  const designer = useDesigner()
  const site = useRuns(({ current }) => (current === null ? undefined : current.site))
  return <LineContext value={site === undefined ? null : lineTo(designer, site)}>{children}</LineContext>
}

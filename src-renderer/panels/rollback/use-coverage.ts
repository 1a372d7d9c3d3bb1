/** What could be undone of the workflow on the canvas. An edit is drawn first, and looked at afterwards. */

import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { FailurePoint, SagaEffects } from '../../../src-engine/model/saga-coverage.ts'
import { failurePoints } from '../../../src-engine/model/saga-coverage.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { useDesigner } from '../../state/context.ts'
import { inSlices } from '../../state/in-slices.ts'
import { effectsOf } from '../../state/saga-effects.ts'
import { useShownDocument } from '../../state/selectors.ts'

/** The effects; for a moment still those of before an edit. */
export function useSagaEffects(): SagaEffects {
  const designer = useDesigner()
  const document = useDeferredValue(useShownDocument())
  const find = useStore(designer.started, (state) => state.find)
  return effectsOf(document, designer.specs, find)
}

/** Not between two letters. */
const delayMs = 120
/** Nobody reads more of them. */
export const shownPointsMax = 200

export interface ShownPoints {
  /** Those whose failure leaves something, in the order of the document. */
  readonly points: readonly FailurePoint[]
  /** Whether there are more than are shown. */
  readonly hasMore: boolean
  /** Whether the workflow has changed since, and they are being looked for again. */
  readonly isOld: boolean
}

const nothingYet: ShownPoints = { points: [], hasMore: false, isOld: false }

/** What stays at which failure: looked for in slices, what was found last is kept meanwhile. */
export function useFailurePoints(): ShownPoints {
  const { ambient, specs, started } = useDesigner()
  const document = useMeaning()
  const find = useStore(started, (state) => state.find)
  const [found, setFound] = useState(nothingYet)
  useEffect(() => {
    const points: FailurePoint[] = []
    let isDone = false
    let stop = ambient.after(delayMs, () => {
      stop = inSlices(ambient, {
        steps: shownOf(failurePoints(document, specs, find)),
        take: (point) => {
          if (point !== null) points.push(point)
        },
        done: (hasMore) => {
          isDone = true
          setFound({ points, hasMore, isOld: false })
        },
      })
      // It is told only of what takes its time: a small workflow is through by now.
      if (!isDone) setFound((before) => ({ ...before, isOld: true }))
    })
    return () => stop()
  }, [ambient, specs, find, document])
  return found
}

/** The workflow without its drawing: the same object while only places change. */
function useMeaning(): WorkflowDocument {
  const { format, schemaVersion, id, title, nodes, edges, settings } = useShownDocument()
  return useMemo(
    () => ({
      ...{ format, schemaVersion, id, title, nodes, edges },
      ...(settings === undefined ? {} : { settings }),
    }),
    [format, schemaVersion, id, title, nodes, edges, settings],
  )
}

/** Each that leaves something, null for one that doesn't; ends with whether there were too many. */
function* shownOf(points: Iterable<FailurePoint>): Generator<FailurePoint | null, boolean> {
  let count = 0
  for (const point of points) {
    if (point.stays.length === 0) yield null
    else if (count === shownPointsMax) return true
    else {
      count += 1
      yield point
    }
  }
  return false
}

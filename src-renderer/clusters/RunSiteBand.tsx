/** The band above the canvas that says that the shown run is done somewhere else than what the page is about. */

import { Drama, Network } from 'lucide-react'
import { useStore } from 'zustand'
import { useDesigner, useLine, useRuns, useSites } from '../state/context.ts'
import { onMocks } from '../state/site.ts'
import { isHere } from '../state/site-lines.ts'
import { PullBand } from '../teleport/PullBand.tsx'
import { PulledBand } from '../teleport/PulledBand.tsx'
import { clusterWords } from '../text/cluster-words.ts'
import { fill } from '../text/messages.ts'
import { siteWords as words } from '../text/site-words.ts'
import { Button } from '../ui/Button.tsx'
import { useLiveAnswer } from '../ui/use-live-answer.ts'
import { AwayMark } from './AwayMark.tsx'
import styles from './Clusters.module.css'
import { SafetyMark } from './SafetyMark.tsx'

/** A copy that is on its way here is told wherever the page is. */
export function RunSiteBand() {
  const pulling = useSites((state) => state.pulling)
  return (
    <>
      {pulling !== null && <PullBand runId={pulling} />}
      <ShownRunBand />
    </>
  )
}

function ShownRunBand() {
  const designer = useDesigner()
  const site = useRuns(({ current }) => (current === null ? undefined : current.site))
  const pulled = useRuns(({ current }) => current?.pulled ?? null)
  if (pulled !== null) return <PulledBand run={pulled} />
  if (site === undefined || isHere(designer, site)) return null
  if (site?.name === onMocks.name) return <MocksBand />
  return (
    <section
      className={styles['band']}
      data-colour={site?.colour ?? 'grey'}
      data-testid="run-site"
      aria-label={`${words.runsOn} ${site?.name ?? words.local}`}
    >
      <Network size={14} aria-hidden />
      <span className={styles['about']}>
        {words.runsOn} <strong>{site?.name ?? words.local}</strong>
      </span>
      {site !== null && site.readOnly && <span className={styles['mark']}>{clusterWords.readOnly}</span>}
      <SafetyMark />
      <AwayMark />
      <Lost />
      <span className={styles['spring']} />
      <LookAt name={site?.name ?? null} />
    </section>
  )
}

/** Also told where a run looks in every other way like one that did its work. */
function MocksBand() {
  return (
    <section
      className={styles['band']}
      data-colour="grey"
      data-testid="run-on-mocks-band"
      aria-label={words.onMocksBand}
    >
      <Drama size={14} aria-hidden />
      <span className={styles['about']}>{words.onMocksBand}</span>
      <Lost />
    </section>
  )
}

/** The line to it may be cut, or its servers gone behind a line that stands. */
function Lost() {
  const { status } = useStore(useLine().state)
  const { error } = useLiveAnswer('runners.list', {})
  if (error === null && (status === 'open' || status === 'connecting')) return null
  return (
    <output data-testid="run-site-lost" title={error?.message}>
      {words.lost}
    </output>
  )
}

/** The way to the place with everything that is there. */
function LookAt({ name }: { readonly name: string | null }) {
  const { switchCluster } = useDesigner()
  const entry = useSites((state) => state.clusters?.find((one) => one.name === name) ?? null)
  if (name === null || entry === null) return null
  return (
    <Button isSmall testId="run-site-open" onClick={() => switchCluster(entry)}>
      {fill(words.open, { name })}
    </Button>
  )
}

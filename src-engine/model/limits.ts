/** Every numeric bound of the engine, each with its reason. Units are in the names. */

import { day, minute, second } from './time.ts'

/** A larger document is generated, not drawn; parsing it would stall the designer. */
export const documentBytesMax = 20_000_000
/** A custom task is a form, not data. */
export const customTaskBytesMax = 500_000
/** Files of custom tasks that are read of their folder. */
export const customTasksMax = 1_000
/** A version is a number or a date, not a description. */
export const taskVersionCharsMax = 50
/** Of the code of a task: as much as a JavaScript step may have. */
export const codeTaskCharsMax = 200_000
/** What a task file says of itself is data: more than this and it computes something. */
export const codeTaskReadMs = 2_000
/** Requests of one execution of a task's code: more is a crawl, which belongs into a map. */
export const httpCallsMax = 100
/** An answer goes into a sandbox of a few megabytes. */
export const taskAnswerBytesMax = 2_000_000
/** Ten times what a canvas has been seen to hold fluently. */
export const documentNodesMax = 20_000
/** A picture with a workflow in it: the largest document in ASCII, and the pixels around it. */
export const pictureBytesMax = 60_000_000
/** Of what leaves the app as a file of its own: pictures and runs are the largest. */
export const handedOverBytesMax = 100_000_000
/** Deeper JSON breaks naive parsers before it breaks ours. */
export const nestingMax = 64
/** Browsers show no deeper pages; what walks one calls itself for every level. */
export const htmlNestingMax = 512
/** Of a YAML text: its parser takes about 400 bytes of memory for each character at worst. */
export const yamlCharsMax = 2_000_000
/** Of a text that was read: more don't fit into what a step may hand on, and anchors could repeat them without end. */
export const dataValuesMax = 5_000_000
/** Of YAML and XML that is read on the engine's own thread: a few milliseconds at worst, and a thread costs as much. */
export const textReadHereMax = 16_384
/** The slowest texts that steps may be given take seconds on a busy machine; what takes longer was made to. */
export const textReadMs = 30_000
/** Room for the largest YAML text at its worst. */
export const textThreadHeapMbMax = 1_024
/** Each may need as much memory as that. */
export const textThreadsMax = 2

/** Longer than any expression a person writes by hand. */
export const expressionBytesMax = 65_536
/** Expressions whose syntax is checked in one call: reading so many takes a few milliseconds. */
export const checkedExpressionsMax = 200
/** A preview must feel instant; a step must not stall the ones beside it. */
export const expressionRunMs = 200
export const expressionResultBytesMax = 1_000_000

/** Payloads up to here live in the record; larger ones are stored once, by hash. */
export const inlinePayloadBytesMax = 32_768
/** Beyond this a payload belongs in a file whose path is passed instead. */
export const blobBytesMax = 50_000_000
/** A larger value of a Redis server holds up everybody behind it while it is sent: blobs go in pieces. */
export const redisValueBytesMax = 524_288
/** Memory that a process spends on large values which several steps read. */
export const sharedValueBytesMax = 64_000_000
/** A request is put together in memory, so that a redirect can repeat it. */
export const requestBodyBytesMax = 50_000_000
/** It goes to the disk as it comes; more is for tools that go on where they were cut off. */
export const responseFileBytesMax = 2_000_000_000
/** What one task may hand on. */
export const taskOutputBytesMax = 10_000_000
/** The tail of a task's log that is kept with its attempt. */
export const attemptLogBytesMax = 65_536

/** A run that a run started that a run started …: deeper is recursion, not composition. */
export const subWorkflowDepthMax = 10

export const mapItemsMax = 10_000
/** Kept on the run's record, which is written whole: more are a sender gone wrong. */
export const bufferedSignalsMax = 100
export const loopIterationsMax = 10_000
/** So many runs a step may ask for something: each is a record in its checkpoint. */
export const steeredRunsMax = 1_000
/** So many runs under way are looked at for those that a step means: beyond it would hold its runner up. */
export const steeredRunsLookedAtMax = 10_000
export const runEventsMax = 1_000_000
export const retriesMax = 100
/** Who is asked to wait longer by a server may as well fail, and tell somebody. */
export const retryAfterMsMax = 10 * minute
/** More labels on one thing than anybody reads; each is matched in every claim. */
export const tagsMax = 20
export const tagCharsMax = 64
/** Ids that callers choose become part of record ids and of file names in exports. */
export const callerIdCharsMax = 256
/** Ten years: further ahead is a mistake in the expression, not a plan. */
export const timerAheadMsMax = 3_653 * day
export const registerBytesMax = 65_536
export const webhookBodyBytesMax = 1_000_000
/** Calls of a test address that are kept per trigger, and how much of a body: enough to see what a sender says. */
export const webhookCapturesMax = 20
export const webhookCaptureBytesMax = 100_000
/** A test address that stays open for longer was forgotten. */
export const webhookTestMsMax = 3_600_000
/** Their paths and stamps are kept in registers, and every look reads them all from the disk. */
export const watchedFilesMax = 20_000
/** Proxies in between give up after a few minutes anyway. */
export const webhookAnswerMsMax = 300_000
/** More waiting at a time than a small machine serves; the rest are told to come again. */
export const webhookCallsAtOnceMax = 50

/** Drafts of which the last is held in memory, so that an edit needn't send all of it: those that were written last. */
export const draftsHeldMax = 8

/** Documents whose undo steps are kept; those that were edited last. */
export const undoLogsMax = 200

/** How often a group has what undoes a step begin anew before a person is asked: about two days. */
export const undoRoundsMax = 50
/** The pause before the first of them; each is twice as long as the one before. */
export const undoPauseMs = 30_000
export const undoPauseMsMax = 3_600_000

/** Saves of one workflow that can be gone back to; older ones give way. */
export const savedCheckpointsMax = 50
/** Those that a person named stay until they are removed. */
export const namedCheckpointsMax = 200

/** Runs in flight that a preview of publishing looks into; the others are counted. */
export const publishedRunsLookedAtMax = 100

/** Published versions that are looked at for the newest of each workflow. */
export const versionsLookedAtMax = 4_000

/** One message to the designer; more than a frame's worth is coalesced. */
export const eventBatchMax = 1_000
export const pageSizeMax = 200
/** So many runs are looked at for one page of what no index tells apart. */
export const runsLookedAtMax = 2_000
/** So many of them have their steps read, which costs more the longer a run is. */
export const runsReadMax = 200
/**
 * Events of one message: a display's worth of a very busy run is a hundred, so only who reads what was before gets so many
 * at once. With fewer, a long run took its frames just to be told.
 */
export const messageEventsMax = 4_000
/** A display shows no more often; faster messages would only wake the designer for nothing. */
export const eventFrameMs = 16
/**
 * How often a reader is told while more happens than a person can follow, which is shown together every tenth of a second:
 * each message costs the engine as much as what it tells, and its answer, too.
 */
export const bustleFrameMs = 48
/** More events in a second than a person can follow. */
export const calmEventsPerSecondMax = 1_000
/**
 * Frames that a page was sent and hasn't taken in yet: with one it would wait for the way to the engine and back, and more
 * would only wait with it.
 */
export const framesUnderWayMax = 4
/** A page that hasn't taken in for so long what it was sent is shown how things stand, not what it missed. */
export const readerBehindMs = 250
/** A snapshot may be what holds a page up: each time it falls behind again it has twice as long, up to this. */
export const readerPatienceMaxMs = 4_000
/** Who looks at all runs sees a list, which is asked for less often still; the first news of a quiet while comes at once. */
export const overviewFrameMs = 100
/** How often a reader of all runs hears that their steps went on: a list asks for its counts no more often. */
export const overviewPlaceMs = 250
/** Events of one message beyond this many characters go into the next one: parsing it must not drop a frame. */
export const eventFrameTextMax = 2_000_000
/** Printed lines that wait for a slow reader; older ones give way, for the attempt's log has them. */
export const liveLinesMax = 2_000
/** What one connection may have under way at a time; more is a loop gone wrong in the client. */
export const connectionCallsMax = 1_000
export const connectionSubscriptionsMax = 200
/** Unsent characters of one connection above which its subscriptions wait for the reader. */
export const connectionPendingMax = 16_000_000
/** A connection that doesn't say who it is by then is closed. */
export const helloTimeoutMs = 10 * second
/** The largest document together with the largest payload fit into one message; more is refused by name. */
export const frameBytesMax = documentBytesMax + blobBytesMax
/** Records that share one call of a server; a fan-out must not stall the rest for longer than this. */
export const commitBatchMax = 250
/** Rows, about, that share one transaction of a file, for the same reason: eight milliseconds. */
export const transactionRowsMax = 1_000

/** Runs of one trigger that stand in line behind the one that goes on: more is a schedule that can't keep up. */
export const triggerLineMax = 100
/** Runs that start each other through triggers, one after the other: more is a loop. */
export const triggerDepthMax = 16
/** Occurrences that a trigger gathers: they are kept in one register. */
export const triggerWaitingMax = 200
/** Entries of a stream that start one run together: they are the input of one run, and are named in one register. */
export const streamBatchMax = 500
/** Entries of a stream that are taken and not yet acknowledged: they are named in one register. */
export const streamPendingMax = 500
/** Conditions of one trigger: what was met of each waits in its register. */
export const triggerConditionsMax = 20
/** How long an id that a sender chose is known: repeats that come later are new events. */
export const eventRepeatMs = 7 * day

/** Crashes of its runner that one invocation may cause before it is taken out of circulation. */
export const crashAttemptsMax = 5
/** A task without an own timeout is stopped after this; nobody waits longer without saying so. */
export const attemptTimeoutMsDefault = 60 * minute
/** After cancel or timeout a process tree has this long to end by itself. */
export const killGraceMs = 2 * second

/** A value of the vault: room for a key with its chain of certificates, not for files. */
export const secretBytesMax = 65_536
/** Secrets of one vault: it is read and written as a whole. */
export const secretsMax = 1_000
/** How exactly the last use of a secret is told: more would write a file at every step. */
export const secretUseGrainMs = minute

/** Payloads that one pull brings along: more is a copy of a data set, not of a run. */
export const pulledPayloadBytesMax = 512_000_000
/** Runs that one pull brings along: each is read, checked and kept whole. */
export const pulledRunsMax = 1_000

/** A file with a run in it, compressed, and what it may unfold to: it is read and checked in memory. */
export const runFileBytesMax = 32_000_000
export const runFileTextMax = 256_000_000

/** Runs that the picture of the last ones is made of, and steps that are read for it. */
export const ghostRunsMax = 100
export const ghostStepsMax = 50_000

/** Claims that one who looks on asks after at once: more cards than a screen has. */
export const leasesAskedMax = 50

/** Large values that a comparison of two runs reads: of more, it says which it didn't look into. */
export const comparedPayloadsMax = 200
/** Places that a value is followed through: what was made from more is nothing that a person reads. */
export const followedHopsMax = 200
/** Items of a map that a whole list is followed into. */
export const followedTurnsMax = 10
/** Times that what a value is followed through is read: runs of runs of runs, and large values. */
export const followedReadsMax = 50
/** Places in which two values are told to differ: nobody reads on. */
export const toldDifferencesMax = 50

/** The longest that a result may stand for running a step again: what is older is a file, not a cache. */
export const cacheTtlMsMax = 366 * day
/** Places of a result that are taken out of it: each is looked for in every result of its step. */
export const redactPathsMax = 50

/** A run that failed may be had to go on by who comes to work the next day: what its steps gave is there until then. */
export const unkeptGraceMsDefault = day
/** Whoever waits for a run reads what it gave soon after its end; a caller that lost its line calls again by then. */
export const runOutputGraceMs = 10 * minute
/** Twice what a look into a result may take: it must find it. */
export const scanGraceMs = minute
/** Stretches of items that a map takes over; they lie in its record. What is beyond is worked on anew. */
export const takenStretchesMax = 1_000

/** Tries to tell people elsewhere of one question: a server that is busy for a moment, and no more than that. */
export const noticeTriesMax = 5

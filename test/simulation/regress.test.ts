/** Seeds that once found a bug: each tells its story well by now, whatever the other tests play. */

import { expect, test } from 'vitest'
import { storeOf } from './campaign.ts'
import { simulate } from './simulate.ts'

test.for([
  {
    seed: 210,
    store: 'memory in four partitions with failovers',
    bug: 'who tried again as others were called was told to have been passed by',
  },
  {
    seed: 960_055,
    store: 'memory in four partitions with failovers',
    bug: 'the permit over a body was given back though something inside of the cancelled step was at work',
  },
  {
    seed: 8_395,
    store: 'memory in four partitions with failovers',
    bug: 'who decided and lost the answer was told so of what no replica had, and a failover took it back',
  },
  {
    seed: 21_110,
    store: 'memory in four partitions with failovers',
    bug: 'what two runs got of one demand went with the first that ended',
  },
  {
    seed: 8_243,
    store: 'memory in four partitions with failovers',
    bug: 'a step was executed for a run whose start had lost its answer, and a failover took the run back',
  },
  {
    seed: 1_490,
    store: 'memory in four partitions in fast mode',
    bug: 'a lost start was taken for there, for somebody else had begun the run anew, and nobody was told that it had begun twice',
  },
  {
    seed: 1_465,
    store: 'memory in four partitions in fast mode',
    bug: 'the end of a step was given up while its run was being brought back, and the step stood still until its lease ended',
  },
  {
    seed: 1_042,
    store: 'memory in four partitions in fast mode',
    bug: 'what was written again was held to have come about then, when others had its permit',
  },
  {
    seed: 1_941,
    store: 'memory in four partitions in fast mode',
    bug: 'a permit that had been refused was taken for one that was lost',
  },
  {
    seed: 1_811,
    store: 'memory in four partitions in fast mode',
    bug: 'a run whose end was lost, and told, was held against the limit that its place had gone to another of',
  },
  {
    seed: 30_565,
    store: 'memory in four partitions with failovers',
    bug: 'runs were built on a version that no replica had yet, and a failover took it back',
  },
  {
    seed: 1_046,
    store: 'memory in four partitions in fast mode',
    bug: 'claimed work was left alone while its claim was being brought back, and was taken back as if its runner were gone',
  },
  {
    seed: 1_560,
    store: 'memory in four partitions in fast mode',
    bug: 'work was stopped as lost while its claim was being brought back',
  },
  {
    seed: 1_493,
    store: 'memory in four partitions in fast mode',
    bug: 'who lost the end of a step, which was told, was held to work on it still',
  },
  {
    seed: 1_785,
    store: 'memory in four partitions in fast mode',
    bug: 'a permit whose take was lost was held against who got its place before its author brought it back',
  },
  {
    seed: 40_312,
    store: 'sqlite',
    bug: 'a loop began another turn in the moment in which a step of it ended the run',
  },
  {
    seed: 90_121,
    store: 'memory in four partitions with failovers',
    bug: 'what a lost try of a step may have done was held to be for sure, for the step was passed over then',
  },
  {
    seed: 50_413,
    store: 'memory in four partitions in fast mode',
    bug: 'a compensation that a person had passed over was held to have failed still',
  },
  {
    seed: 50_341,
    store: 'memory in four partitions in fast mode',
    bug: 'a cron of the engine’s own that began in the last moment of the story was called lost',
  },
  {
    seed: 50_080,
    store: 'memory in four partitions in fast mode',
    bug: 'a step waited for ever for a run whose end it had been told, and had forgotten in a failover',
  },
  {
    seed: 60_969,
    store: 'memory in four partitions with failovers',
    bug: 'what a step was registered with stayed, for it was passed over and no record named it at the end',
  },
  {
    seed: 1_597,
    store: 'memory in four partitions in fast mode',
    bug: 'a step that called anew what had ended meanwhile waited for it for ever',
  },
  {
    seed: 1_165,
    store: 'memory in four partitions in fast mode',
    bug: 'a run that came back after a minute went on beside another one that had got its permit meanwhile',
  },
  {
    seed: 942_423,
    store: 'memory in four partitions in fast mode',
    bug: 'what was not to stay went with the end of its run, and a failover took that back',
  },
  {
    seed: 941_291,
    store: 'memory in four partitions in fast mode',
    bug: 'a permit that was lost with its step was held against who had it before its author, who stood still, brought both back',
  },
  {
    seed: 940_511,
    store: 'memory in four partitions in fast mode',
    bug: 'what was given up as lost was told by nobody, for its process died before the others of the same replay were decided',
  },
  {
    seed: 197,
    store: 'memory in four partitions with failovers',
    bug: 'a program stood still for ever, whose going on was written and the answer lost',
  },
  { seed: 322_483, store: 'memory', bug: 'an engine that could not read what to hold back handed it on' },
  { seed: 132, store: 'memory', bug: 'a pool book that counted its own change twice missed the next one' },
  {
    seed: 700_996,
    store: 'memory',
    bug: 'a run that was let in under a raised limit was held against another’s old one',
  },
  {
    seed: 700_121,
    store: 'sqlite',
    bug: 'a wrong clock told parts of milliseconds, which no record can hold',
  },
  {
    seed: 125_513_075,
    store: 'memory in four partitions',
    bug: 'a permit that came into a plan between two calls was not taken at its home',
  },
  {
    seed: 125_412_912,
    store: 'memory',
    bug: 'runs in a line of nested maps were called lost while they still moved on',
  },
  {
    seed: 31_184,
    store: 'memory in four partitions',
    bug: 'a step that waited twice for the result of one that was cancelled was let go by the same name twice',
  },
  {
    seed: 31_464,
    store: 'memory in four partitions',
    bug: 'a step began to work with a result that had been held back since',
  },
  {
    seed: 300_210,
    store: 'memory in four partitions',
    bug: 'a map was paused with what undoes one of its items, and that never went on',
  },
  {
    seed: 300_386,
    store: 'memory in four partitions',
    bug: 'a permit that a wrong clock had seen in the future was not given back',
  },
  {
    seed: 213_672,
    store: 'memory',
    bug: 'a run that had found no room began without the policy being asked, once somebody had it go on',
  },
  {
    seed: 15_032_974,
    store: 'memory in four partitions',
    bug: 'the second try to undo a run was told its end under the name of the first',
  },
  {
    seed: 199,
    store: 'memory',
    bug: 'whoever was asked about an undoing was shown the same as about its step',
  },
  {
    seed: 7794,
    store: 'memory',
    bug: 'what a sub-workflow did stayed where its result had been held back since',
  },
  {
    seed: 83,
    store: 'memory in four partitions',
    bug: 'two who began the same run took its permit by the same name, and one gave it back for both',
  },
  {
    seed: 1557,
    store: 'memory in four partitions with failovers',
    bug: 'a repeated signal was acknowledged by what no replica had yet',
  },
  {
    seed: 3139,
    store: 'memory in four partitions',
    bug: 'who came earlier but got into the line of a workflow later was told to have passed by others',
  },
  {
    seed: 500_019,
    store: 'memory in four partitions',
    bug: 'a step began without its input, on what a repeated start of its run would have made of that',
  },
  {
    seed: 131_007,
    store: 'memory',
    bug: 'a step began, without its input, that had been cancelled and recovered while its runner stood still',
  },
  {
    seed: 77_230,
    store: 'memory in four partitions in fast mode',
    bug: 'who was to lift the policy slept, died when it awoke, and nobody else was asked to',
  },
  {
    seed: 950_603,
    store: 'memory in four partitions in fast mode',
    bug: 'a step whose beginning was lost, which was told, was held to stand for its demand beside the next one',
  },
  {
    seed: 952_264,
    store: 'memory in four partitions in fast mode',
    bug: 'a place that had been given back before a failover took all of it back was held to have been lost',
  },
  {
    seed: 951_529,
    store: 'memory in four partitions in fast mode',
    bug: 'what one brought back took the place of what it brought back next',
  },
  {
    seed: 952_028,
    store: 'memory in four partitions in fast mode',
    bug: 'a result that a step had taken over was handed on as its own, and grew younger: who had lost the step had noted it late',
  },
  {
    seed: 952_576,
    store: 'memory in four partitions in fast mode',
    bug: 'a step began without its input, for a failover came between the reading of its run and of its steps',
  },
  {
    seed: 954_534,
    store: 'memory in four partitions in fast mode',
    bug: 'for how long a run had lain ended was lost where events are packed',
  },
  {
    seed: 954_592,
    store: 'memory in four partitions in fast mode',
    bug: 'a permit that comes free by itself was held to have been another one’s place meanwhile',
  },
  {
    seed: 956_328,
    store: 'memory in four partitions in fast mode',
    bug: 'a step whose end was lost, which was told, was held to stand for its demand beside the next one',
  },
  {
    seed: 954_555,
    store: 'memory in four partitions in fast mode',
    bug: 'who lost its renewals in a failover was held to have been robbed',
  },
  {
    seed: 958_161,
    store: 'memory in four partitions in fast mode',
    bug: 'a step whose beginning was lost ended an attempt that it never had',
  },
  {
    seed: 959_002,
    store: 'memory in four partitions in fast mode',
    bug: 'who waited for a demand that was cancelled, and that only its home still knew, was woken and waited again without end',
  },
  {
    seed: 958_995,
    store: 'memory in four partitions in fast mode',
    bug: 'what came back late together with what it builds on didn’t take its permit again',
  },
  {
    seed: 958_771,
    store: 'memory in four partitions in fast mode',
    bug: 'a run whose beginning was lost was held to be passed by in its line before it was brought back',
  },
  {
    seed: 958_360,
    store: 'memory in four partitions in fast mode',
    bug: 'a step that ran while it was approved was held to have run without, for its approval was lost, which was told',
  },
  {
    seed: 963_476,
    store: 'memory in four partitions in fast mode',
    bug: 'a call that is passed by was held to have given what no run gave, for what arrived lay in a blob and went on by an attempt',
  },
  {
    seed: 966_317,
    store: 'memory in four partitions in fast mode',
    bug: 'a run was begun twice by one process, for the answer to its first start came after the failover that had lost it, and before that was brought back it was started again',
  },
  {
    seed: 965_423,
    store: 'memory in four partitions in fast mode',
    bug: 'a claimed step stood still until it was recovered, for the version of its run was being brought back',
  },
  {
    seed: 903_459,
    store: 'sqlite',
    bug: 'a program that came to wait for something in the moment in which it was to stand still could not say so',
  },
  {
    seed: 967_620,
    store: 'memory in four partitions in fast mode',
    bug: 'nobody was there any more for a run that came back when the story was over, and that waits for a signal',
  },
  {
    seed: 976_669,
    store: 'memory in four partitions with failovers',
    bug: 'the output policy that a story begins with went with a failover in its first moments, and was held against the engine',
  },
  {
    seed: 7_237,
    store: 'memory in four partitions in fast mode',
    bug: 'a runner that gave back what it had claimed without being told was held to have been robbed by itself',
  },
])('seed $seed on $store: $bug', async ({ seed, store }) => {
  const { violations } = await simulate(seed, { openStore: storeOf(store) })
  expect(violations).toEqual([])
})

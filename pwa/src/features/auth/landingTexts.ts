/** The texts of the landing page. Each claim holds today; a new one is added with its feature. */
import {
  Award,
  HandHeart,
  HeartHandshake,
  type LucideIcon,
  MapPinned,
  MessagesSquare,
  Users,
} from 'lucide-react';

type Feature = { icon: LucideIcon; title: string; text: string };

/** The head of the page in its variants, of which an admin chooses one. */
export const heads = {
  a: {
    title: 'Slow down. Someone worth meeting is here.',
    text: 'Heartward is for singles who date with intention: say what you are looking for, see why someone fits, and talk for as long as you like.',
    join: 'Start Your Love Story Free',
  },
  b: {
    title: 'Find Your Soul Connection',
    text: 'A calm place to meet people who know what they are looking for. Messages are free, and nothing is sold.',
    join: "Join Our Community - It's Free!",
  },
};

export const features: Feature[] = [
  {
    icon: MessagesSquare,
    title: 'Multi-Way Communication',
    text: 'Text, voice, video and pictures, with replies and reactions. You can read and write offline too.',
  },
  {
    icon: HeartHandshake,
    title: 'Intelligent Matching',
    text: 'Intentions first, then lifestyle, distance and age. Every score says why.',
  },
  {
    icon: MapPinned,
    title: 'Safety First',
    text: 'You share a town, never your location. Your photos are seen by members only.',
  },
  {
    icon: Award,
    title: 'Achievement System',
    text: 'Invite friends, and reach a new tier with its badge as they complete their profiles.',
  },
  {
    icon: Users,
    title: 'Supportive Community',
    text: 'Everyone accepts the Honor Code, and every profile and conversation lets you block or report.',
  },
  {
    icon: HandHeart,
    title: 'Always Free',
    text: 'Every message to a match is free, and nothing is sold. No credit card, ever.',
  },
];

export const steps = [
  { title: 'Create Your Profile', text: 'A few honest lines and the intentions you date with.' },
  { title: 'Get Smart Matches', text: 'A short, ranked deck instead of endless swiping.' },
  { title: 'Start Conversations', text: 'When you like each other, the conversation opens.' },
  { title: 'Build Real Connections', text: 'Take your time. That is what this place is for.' },
];

export const questions = [
  {
    ask: 'Is it really free?',
    answer: 'Yes. There is nothing to buy, and every message to a match is free.',
  },
  {
    ask: 'How does matching work?',
    answer:
      'Forty percent of a score is your intentions, thirty your lifestyle, twenty the distance between your towns and ten your ages. You can read the reasons behind every score.',
  },
  {
    ask: 'Is my information safe?',
    answer:
      'Other members never see your e-mail address, your birth date or more than your town. Signing out removes everything from the device.',
  },
  {
    ask: 'What is different here?',
    answer:
      'No endless swiping and nothing for sale. You say what you are looking for, see why someone fits, and talk for as long as you like.',
  },
  {
    ask: 'Can I use voice and video?',
    answer:
      'Yes. Send voice notes of up to a minute and videos of up to 30 seconds, and add a greeting in your own voice or on video to your profile.',
  },
];

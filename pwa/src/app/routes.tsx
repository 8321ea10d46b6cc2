import type { ComponentType } from 'react';
import { Navigate, type RouteObject } from 'react-router';
import { paths, routePatterns } from '@/session/paths.ts';
import { BrokenScreen } from './BrokenScreen.tsx';
import { FOR_EVERYONE, Gate } from './Gate.tsx';
import { HomeScreen } from './HomeScreen.tsx';
import { Loading } from './Loading.tsx';
import { preloadConversation } from './lazyConversation.ts';
import { Root } from './Root.tsx';

/** A lazy route: the router loads the chunk before it leaves the old screen. */
function screen(load: () => Promise<{ default: ComponentType }>): Pick<RouteObject, 'lazy'> {
  return { lazy: async () => ({ Component: (await load()).default }) };
}

/** Loads the screen of messages with its open conversation. */
async function loadConversation() {
  const [route] = await Promise.all([import('./MessagesRoute.tsx'), preloadConversation()]);
  return route;
}

export const routes: RouteObject[] = [
  {
    Component: Root,
    errorElement: <BrokenScreen />,
    hydrateFallbackElement: <Loading />,
    children: [
      { path: paths.signUp, ...screen(() => import('@/features/auth/SignUpScreen.tsx')) },
      { path: paths.login, ...screen(() => import('@/features/auth/LoginScreen.tsx')) },
      { path: paths.adminLogin, ...screen(() => import('@/features/auth/AdminLoginScreen.tsx')) },
      { path: paths.notMe, ...screen(() => import('@/features/auth/NotMeScreen.tsx')) },
      { path: paths.sharedDate, ...screen(() => import('@/features/dates/SharedDateScreen.tsx')) },
      {
        Component: Gate,
        children: [
          { index: true, Component: HomeScreen },
          { path: paths.homeOfApp, element: <Navigate replace to={paths.home} /> },
          { path: paths.discover, ...screen(() => import('./DiscoverRoute.tsx')) },
          { path: paths.matches, ...screen(() => import('./MatchesRoute.tsx')) },
          { path: paths.likes, ...screen(() => import('@/features/matching/LikesScreen.tsx')) },
          { path: paths.passed, ...screen(() => import('@/features/matching/PassedScreen.tsx')) },
          { path: paths.dates, ...screen(() => import('@/features/dates/DatesScreen.tsx')) },
          {
            path: paths.notifications,
            ...screen(() => import('@/features/activity/NotificationsScreen.tsx')),
          },
          { path: paths.messages, ...screen(() => import('./MessagesRoute.tsx')) },
          { path: routePatterns.conversation, ...screen(loadConversation) },
          { path: paths.share, ...screen(() => import('./ShareRoute.tsx')) },
          { path: paths.settings, ...screen(() => import('./SettingsRoute.tsx')) },
          ...[paths.start, routePatterns.startStep].map((path) => ({
            path,
            ...screen(() => import('@/features/profile/StartScreen.tsx')),
          })),
          { path: paths.profile, ...screen(() => import('./ProfileRoute.tsx')) },
          { path: paths.demos, ...screen(() => import('./DemosScreen.tsx')) },
          { path: paths.mediaDemo, ...screen(() => import('@/features/media/MediaDemoScreen.tsx')) },
          {
            path: paths.messagingDemo,
            ...screen(() => import('@/features/messaging/MessagingDemoScreen.tsx')),
          },
          { path: paths.sparksDemo, ...screen(() => import('@/features/matching/SparksDemoScreen.tsx')) },
          { path: paths.test, ...screen(() => import('./TestScreen.tsx')) },
          { path: paths.referrals, ...screen(() => import('@/features/referrals/ReferralsScreen.tsx')) },
          { path: paths.perks, ...screen(() => import('@/features/referrals/PerksScreen.tsx')) },
          { path: paths.badges, ...screen(() => import('./BadgesRoute.tsx')) },
          { path: paths.moments, ...screen(() => import('@/features/moments/MomentsScreen.tsx')) },
          { path: paths.graduation, ...screen(() => import('@/features/graduation/GraduationScreen.tsx')) },
          { path: paths.lovePulse, ...screen(() => import('@/features/pulse/PulseScreen.tsx')) },
          { path: paths.together, ...screen(() => import('@/features/pulse/TogetherScreen.tsx')) },
          {
            path: paths.legacyWall,
            handle: FOR_EVERYONE,
            ...screen(() => import('@/features/graduation/WallScreen.tsx')),
          },
          {
            path: paths.community,
            handle: FOR_EVERYONE,
            ...screen(() => import('@/features/community/BoardScreen.tsx')),
          },
          {
            path: paths.communityRules,
            handle: FOR_EVERYONE,
            ...screen(() => import('@/features/community/RulesScreen.tsx')),
          },
          { path: paths.ownPosts, ...screen(() => import('@/features/community/OwnPostsScreen.tsx')) },
          {
            path: routePatterns.post,
            handle: FOR_EVERYONE,
            ...screen(() => import('@/features/community/PostScreen.tsx')),
          },
          {
            path: paths.safety,
            handle: FOR_EVERYONE,
            ...screen(() => import('@/features/moderation/SafetyScreen.tsx')),
          },
          { path: paths.decisions, ...screen(() => import('@/features/moderation/DecisionsScreen.tsx')) },
          { path: routePatterns.member, ...screen(() => import('./MemberRoute.tsx')) },
          ...[paths.admin, routePatterns.adminTab, routePatterns.adminItem].map((path) => ({
            path,
            ...screen(() => import('./AdminRoute.tsx')),
          })),
          { path: '*', handle: FOR_EVERYONE, ...screen(() => import('./NotFoundScreen.tsx')) },
        ],
      },
    ],
  },
];

WebClient client;

// A bot in the form of Botzone's official samples: it reads its whole input, answers once and ends. It plays the tile it
// drew. Compiled with -DJSON it reads and writes JSON, with -DKEEP it asks to be kept running; otherwise simple text.

#include <iostream>
#include <iterator>
#include <string>
#include <vector>

using namespace std;

string answer_to(const string& request) { return request.rfind("2 ", 0) == 0 ? "PLAY " + request.substr(2, 2) : "PASS"; }

void say(const string& answer) {
#ifdef JSON
    cout << "{\"response\": \"" << answer << "\", \"debug\": \"so far so good\"}" << endl;
#else
    cout << answer << endl;
#endif
#ifdef KEEP
    cout << ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<" << endl;
#endif
}

#ifdef JSON
// The last text of the list under "requests".
string last_request() {
    string input((istreambuf_iterator<char>(cin)), istreambuf_iterator<char>());
    size_t list = input.find("\"requests\"");
    if (list == string::npos) throw runtime_error("the input has no requests");
    size_t end = input.find(']', list), close = input.rfind('"', end);
    return input.substr(input.rfind('"', close - 1) + 1, close - input.rfind('"', close - 1) - 1);
}
#else
string last_request() {
    int turn;
    string line;
    vector<string> requests, responses;
    cin >> turn;
    turn--;
    getline(cin, line);
    for (int i = 0; i < turn; i++) {
        getline(cin, line);
        requests.push_back(line);
        getline(cin, line);
        responses.push_back(line);
    }
    getline(cin, line);
    requests.push_back(line);
    return requests.at(turn);
}
#endif

int main() {
    say(answer_to(last_request()));
#ifdef KEEP
    for (string line; getline(cin, line);) say(answer_to(line));
#endif
}
